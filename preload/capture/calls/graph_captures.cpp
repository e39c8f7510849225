#include "capture/calls/graph_captures.h"

#include "capture/base/memory_budget.h"
#include "capture/base/number_hash.h"
#include "capture/base/spin_lock.h"
#include "capture/base/zeroed_memory.h"
#include "capture/rings/recording.h"

namespace tauprof::capture {

GraphCaptures graph_captures;

void GraphCaptures::start(void* stream, uint64_t number, const void* graph) {
  const SpinLock lock(lock_);
  if (open_count_ == kMostOpen) return;
  Open& open = open_[open_count_];
  open = {number, stream, ++last_mark_, 0, 0, 0};
  __atomic_store_n(&open_count_, open_count_ + 1, __ATOMIC_RELEASE);
  set_capturing(true);
  const Handle* before = find(graph);
  for (uint32_t i = before != nullptr ? before->first : 0; i != 0; i = captured_[i].next) append(open, captured_[i]);
}

uint32_t GraphCaptures::with_number(uint64_t number) {
  if (number == 0) return 0;
  const SpinLock lock(lock_);
  for (uint32_t i = 0; i < open_count_; ++i)
    if (open_[i].number == number) return open_[i].mark;
  return 0;
}

uint32_t GraphCaptures::started_on(void* stream, uint64_t number) {
  if (const uint32_t mark = with_number(number); mark != 0) return mark;
  const SpinLock lock(lock_);
  for (uint32_t i = 0; i < open_count_; ++i)
    if (open_[i].stream == stream) return open_[i].mark;
  return 0;
}

GraphCaptures::Open* GraphCaptures::find_open(uint32_t mark) {
  for (uint32_t i = 0; i < open_count_; ++i)
    if (open_[i].mark == mark) return &open_[i];
  return nullptr;
}

void GraphCaptures::end(uint32_t mark, const void* graph) {
  const SpinLock lock(lock_);
  Open* const open = find_open(mark);
  if (open == nullptr) return;
  remember({graph, open->mark, open->first, open->optimizer, false});
  *open = open_[open_count_ - 1];
  __atomic_store_n(&open_count_, open_count_ - 1, __ATOMIC_RELEASE);
  if (open_count_ == 0) set_capturing(false);
}

uint32_t GraphCaptures::copy(const void* graph, const void* copy) {
  const SpinLock lock(lock_);
  Handle* const known = find(graph);
  Handle copied = known != nullptr ? *known : Handle{nullptr, ++last_mark_, 0, 0, false};
  const bool is_asked = copied.is_asked;
  if (known != nullptr) known->is_asked = true;
  copied.handle = copy;
  copied.is_asked = true;
  remember(copied);
  return is_asked ? 0 : copied.mark;
}

void GraphCaptures::forget(const void* handle) {
  if (__atomic_load_n(&handle_count_, __ATOMIC_ACQUIRE) == 0) return;
  const SpinLock lock(lock_);
  remove(handle);
}

// Where the handle is, or where it would be put.
uint32_t GraphCaptures::slot_of(const void* handle) const {
  auto at = static_cast<uint32_t>(mix(reinterpret_cast<uintptr_t>(handle), 0)) % kHandleSlots;
  while (handles_[at].handle != nullptr && handles_[at].handle != handle) at = (at + 1) % kHandleSlots;
  return at;
}

GraphCaptures::Handle* GraphCaptures::find(const void* handle) {
  if (handle == nullptr) return nullptr;
  Handle& slot = handles_[slot_of(handle)];
  return slot.handle != nullptr ? &slot : nullptr;
}

// In a full table, new handles are not known.
void GraphCaptures::remember(const Handle& named) {
  if (named.handle == nullptr) return;
  Handle& slot = handles_[slot_of(named.handle)];
  const bool is_new = slot.handle == nullptr;
  if (is_new && 4 * handle_count_ >= 3 * kHandleSlots) return;
  slot = named;
  if (is_new) __atomic_store_n(&handle_count_, handle_count_ + 1, __ATOMIC_RELEASE);
}

// What follows without a gap moves up, as far as it may stand there.
void GraphCaptures::remove(const void* handle) {
  const Handle* const found = find(handle);
  if (found == nullptr) return;
  auto free = static_cast<uint32_t>(found - handles_);
  handles_[free] = {};
  __atomic_store_n(&handle_count_, handle_count_ - 1, __ATOMIC_RELEASE);
  for (uint32_t at = (free + 1) % kHandleSlots; handles_[at].handle != nullptr; at = (at + 1) % kHandleSlots) {
    const Handle moved = handles_[at];
    handles_[at] = {};
    handles_[slot_of(moved.handle)] = moved;
  }
}

void GraphCaptures::add_update(uint32_t optimizer) {
  const SpinLock lock(lock_);
  if (open_count_ != 0) open_[open_count_ - 1].optimizer = optimizer;
}

uint32_t GraphCaptures::update_of(const void* executable) {
  if (__atomic_load_n(&handle_count_, __ATOMIC_ACQUIRE) == 0) return 0;
  const SpinLock lock(lock_);
  const Handle* const known = find(executable);
  return known != nullptr ? known->optimizer : 0;
}

bool GraphCaptures::make_room() {
  constexpr uint32_t kSome = 64;
  if (captured_count_ % kSome == 0) memory_budget.take_anyway(kSome * sizeof(Captured));  // sequence numbers need them
  if (captured_ != nullptr) return captured_count_ < kMostCollectives;
  captured_ = static_cast<Captured*>(map_zeros((kMostCollectives + 1) * sizeof(Captured)));
  return captured_ != nullptr;
}

void GraphCaptures::append(Open& open, const Captured& captured) {
  if (!make_room()) return;
  const uint32_t added = ++captured_count_;
  captured_[added] = captured;
  captured_[added].unit.graph = open.mark;
  captured_[added].next = 0;
  if (open.last != 0) captured_[open.last].next = added;
  if (open.first == 0) open.first = added;
  open.last = added;
}

void GraphCaptures::add_collective(uint32_t mark, Communicator* communicator, uint16_t function, const CallFacts& facts,
                                   const CollectiveUnit& unit) {
  const SpinLock lock(lock_);
  if (Open* const open = find_open(mark); open != nullptr)
    append(*open, {communicator, facts.payload, unit, 0, function});
}

uint32_t GraphCaptures::launched(const void* executable, void* stream, ThreadState& thread, bool is_recorded) {
  if (__atomic_load_n(&handle_count_, __ATOMIC_ACQUIRE) == 0) return 0;
  const SpinLock lock(lock_);
  const Handle* const known = find(executable);
  if (known == nullptr) return 0;
  const CallTimes times{thread.call_start, thread.call_start, 0};
  const uint64_t last_end = thread.last_end;
  uint64_t captured_group = 0, group = 0;
  for (uint32_t i = known->first; i != 0; i = captured_[i].next) {
    const Captured& captured = captured_[i];
    if (captured.unit.group != captured_group) {
      if (group != 0) communicators.end_group(group);
      captured_group = captured.unit.group;
      group = captured_group != 0 ? communicators.new_group() : 0;
    }
    Unit unit{.collective = captured.unit};
    unit.collective.group = group;
    unit.collective.sequence =
        communicators.count(*captured.communicator, static_cast<log::Operation>(captured.unit.operation), group);
    CallFacts facts;
    facts.stream = reinterpret_cast<uintptr_t>(stream);
    facts.payload = captured.count;
    if (is_recorded) record_call(thread, captured.function, times, facts, 0, DropKind::kCollective, &unit);
  }
  if (group != 0) communicators.end_group(group);
  thread.last_end = last_end;
  return known->mark;
}

}  // namespace tauprof::capture
