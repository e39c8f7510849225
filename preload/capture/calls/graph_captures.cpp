#include "capture/calls/graph_captures.h"

#include <utility>

#include "capture/base/memory_budget.h"
#include "capture/base/number_map.h"
#include "capture/base/spin_lock.h"
#include "capture/base/zeroed_memory.h"
#include "capture/rings/recording.h"

namespace tauprof::capture {

GraphCaptures graph_captures;

GraphCaptures::Renewed GraphCaptures::start(void* stream, uint64_t number, const void* graph) {
  const SpinLock lock(lock_);
  if (open_count_ == kMostOpen) return {};
  Open& open = open_[open_count_];
  open = {number, stream, ++last_mark_, 0, 0, 0};
  __atomic_store_n(&open_count_, open_count_ + 1, __ATOMIC_RELEASE);
  set_capturing(true);
  const Handle* const before = find(graph);
  if (before == nullptr) return {open.mark};
  append_all(open, before->first);
  return {open.mark, {before->mark}};
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
  remember({graph, open->mark, open->first, open->optimizer, 0});
  *open = open_[open_count_ - 1];
  __atomic_store_n(&open_count_, open_count_ - 1, __ATOMIC_RELEASE);
  if (open_count_ == 0) set_capturing(false);
}

GraphCaptures::Renewed GraphCaptures::copy(const void* graph, const void* copy) {
  const SpinLock lock(lock_);
  const uint32_t asked_after = __atomic_load_n(&edits_, __ATOMIC_RELAXED) + 1;
  Handle* const known = find(graph);
  Handle copied = known != nullptr ? *known : Handle{nullptr, ++last_mark_, 0, 0, 0};
  Renewed renewed;
  if (copied.asked_after != asked_after) {
    if (copied.asked_after != 0) renewed.parts[0] = std::exchange(copied.mark, ++last_mark_);
    renewed.mark = copied.mark;
    copied.asked_after = asked_after;
    if (known != nullptr) *known = copied;
  }
  copied.handle = copy;
  remember(copied);
  return renewed;
}

GraphCaptures::Renewed GraphCaptures::add_child(const void* graph, const void* child) {
  const SpinLock lock(lock_);
  edited();
  const Handle* const before = find(graph);
  const Handle* const added = find(child);
  if (added == nullptr) return {};
  Open both{0, nullptr, ++last_mark_, 0, 0, added->optimizer};
  Renewed renewed{both.mark, {before != nullptr ? before->mark : 0, added->mark}};
  if (before != nullptr) append_all(both, before->first);
  append_all(both, added->first);
  remember({graph, both.mark, both.first, both.optimizer, 0});
  return renewed;
}

bool GraphCaptures::is_as_asked(const void* executable) {
  const SpinLock lock(lock_);
  const Handle* const known = find(executable);
  return known != nullptr && known->asked_after == __atomic_load_n(&edits_, __ATOMIC_RELAXED) + 1;
}

void GraphCaptures::changed(const void* executable) {
  const SpinLock lock(lock_);
  if (Handle* const known = find(executable); known != nullptr) known->mark = ++last_mark_;
}

uint32_t GraphCaptures::add_launch(uint32_t mark, const void* executable) {
  const SpinLock lock(lock_);
  Open* const open = find_open(mark);
  const Handle* const known = find(executable);
  if (open == nullptr || known == nullptr) return 0;
  append_all(*open, known->first);
  if (known->optimizer != 0) open->optimizer = known->optimizer;
  return known->mark;
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

// Entries that follow without a gap move up, as far as their hash allows.
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
  captured_[added].next = 0;
  if (open.last != 0) captured_[open.last].next = added;
  if (open.first == 0) open.first = added;
  open.last = added;
}

// The calls of one group have one number, so each copy of a group needs another.
void GraphCaptures::append_all(Open& open, uint32_t first) {
  uint64_t copied_group = 0, group = 0;
  for (uint32_t i = first; i != 0; i = captured_[i].next) {
    Captured copied = captured_[i];
    if (copied.unit.group != copied_group) {
      copied_group = copied.unit.group;
      group = copied_group != 0 ? communicators.new_group() : 0;
    }
    copied.unit.group = group;
    append(open, copied);
  }
}

void GraphCaptures::add_collective(uint32_t mark, Communicator* communicator, uint16_t function, const CallFacts& facts,
                                   const CollectiveUnit& unit) {
  const SpinLock lock(lock_);
  Open* const open = find_open(mark);
  if (open == nullptr) return;
  Captured captured{communicator, facts.payload, unit, 0, function};
  captured.unit.graph = mark;
  append(*open, captured);
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
