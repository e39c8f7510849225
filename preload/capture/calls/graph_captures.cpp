#include "capture/calls/graph_captures.h"

#include <sys/mman.h>

#include "capture/loaded_library.h"
#include "capture/spin_lock.h"

namespace tauprof::capture {

GraphCaptures graph_captures;

void GraphCaptures::begin() {
  const SpinLock lock(lock_);
  ++last_mark_;
  __atomic_store_n(&open_, open_ + 1, __ATOMIC_RELEASE);
}

void GraphCaptures::end(const void* graph) {
  const SpinLock lock(lock_);
  if (open_ == 0) return;
  if (graph != nullptr) remember(graph, last_mark_);
  __atomic_store_n(&open_, open_ - 1, __ATOMIC_RELEASE);
}

void GraphCaptures::instantiate(const void* graph, const void* executable) {
  const SpinLock lock(lock_);
  if (const uint32_t mark = mark_of(graph); mark != 0) remember(executable, mark);
}

// Later ones first: handles are used again.
uint32_t GraphCaptures::mark_of(const void* handle) const {
  const uint32_t oldest = handle_count_ > kMostGraphs ? handle_count_ - kMostGraphs : 0;
  for (uint32_t i = handle_count_; i > oldest; --i)
    if (handles_[(i - 1) % kMostGraphs].handle == handle) return handles_[(i - 1) % kMostGraphs].mark;
  return 0;
}

void GraphCaptures::remember(const void* handle, uint32_t mark) {
  for (uint32_t i = 0; i < captured_count_; ++i) {
    if (captured_[i].mark != mark) continue;
    handles_[handle_count_++ % kMostGraphs] = {handle, mark};
    return;
  }
}

// Which of several captures that run at once is not known: the latest is taken.
uint32_t GraphCaptures::of_stream(void* stream) {
  using IsCapturing = int (*)(void*, int*);
  static const auto is_capturing =
      reinterpret_cast<IsCapturing>(loaded_function("libcudart.so", "cudaStreamIsCapturing"));
  const OwnCalls own;
  int status = 0;
  constexpr int kActive = 1;
  if (is_capturing == nullptr || is_capturing(stream, &status) != 0 || status != kActive) return 0;
  return __atomic_load_n(&last_mark_, __ATOMIC_RELAXED);
}

void GraphCaptures::add_collective(uint32_t mark, Communicator* communicator, uint16_t function, const CallFacts& facts,
                                   const CollectiveUnit& unit) {
  const SpinLock lock(lock_);
  if (captured_ == nullptr) {
    void* memory = mmap(nullptr, kMostCollectives * sizeof(Captured), PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) return;
    captured_ = static_cast<Captured*>(memory);
  }
  if (captured_count_ < kMostCollectives)
    captured_[captured_count_++] = {communicator, facts.payload, unit, mark, function};
}

void GraphCaptures::launched(const void* executable, void* stream, ThreadState& thread, bool is_recorded) {
  if (__atomic_load_n(&captured_count_, __ATOMIC_ACQUIRE) == 0) return;
  const SpinLock lock(lock_);
  const uint32_t mark = mark_of(executable);
  if (mark == 0) return;
  const CallTimes times{thread.call_start, thread.call_start, 0};
  const uint64_t last_end = thread.last_end;
  const uint64_t group = communicators.new_group();
  for (uint32_t i = 0; i < captured_count_; ++i) {
    const Captured& captured = captured_[i];
    if (captured.mark != mark || captured.communicator == nullptr) continue;
    Unit unit{.collective = captured.unit};
    unit.collective.sequence = captured.communicator->advance();
    if (captured.unit.group != 0) unit.collective.group = group;
    CallFacts facts;
    facts.stream = reinterpret_cast<uintptr_t>(stream);
    facts.payload = captured.count;
    if (is_recorded) record_call(thread, captured.function, times, facts, 0, DropKind::kCollective, &unit);
  }
  thread.last_end = last_end;
}

}  // namespace tauprof::capture
