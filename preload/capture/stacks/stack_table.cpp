#include "capture/stacks/stack_table.h"

#include <string.h>

#include "capture/base/memory_budget.h"
#include "capture/base/spin_lock.h"
#include "capture/base/zeroed_memory.h"

namespace tauprof::capture {

// A quarter of the recorder's memory; the stacks take what they need.
bool StackTable::init() {
  constexpr size_t kEntryBytes = 2 * sizeof(Slot) + sizeof(Stack*);
  constexpr uint32_t kFewest = 256;
  most_ = memory_budget.entries(4, kEntryBytes, kFewest, kMost);
  slots_ = static_cast<Slot*>(map_zeros(2 * most_ * sizeof(Slot)));
  stacks_ = static_cast<const Stack**>(map_zeros(most_ * sizeof(Stack*)));
  if (slots_ == nullptr || stacks_ == nullptr) return false;
  memory_budget.take_anyway(most_ * kEntryBytes);
  return true;
}

uint32_t StackTable::find(uint64_t hash) const {
  const uint32_t mask = 2 * most_ - 1;
  for (uint32_t at = static_cast<uint32_t>(hash) & mask;; at = (at + 1) & mask) {
    const uint32_t number = __atomic_load_n(&slots_[at].number, __ATOMIC_ACQUIRE);
    if (number == 0) return 0;
    if (slots_[at].hash == hash) return number;
  }
}

uint32_t StackTable::add(uint64_t hash, const StackFrame* frames, unsigned count) {
  const SpinLock lock(lock_);
  if (const uint32_t known = find(hash)) return known;
  const size_t bytes = sizeof(Stack) + count * sizeof(StackFrame);
  auto* const stack = count_ < most_ - 1 ? static_cast<Stack*>(arena_.reserve(bytes)) : nullptr;
  if (stack == nullptr) {
    __atomic_add_fetch(&refused_, 1, __ATOMIC_RELAXED);
    return 0;
  }
  stack->count = count;
  memcpy(stack->frames, frames, count * sizeof(StackFrame));
  stacks_[count_] = stack;
  const uint32_t mask = 2 * most_ - 1;
  uint32_t at = static_cast<uint32_t>(hash) & mask;
  while (slots_[at].number != 0) at = (at + 1) & mask;
  slots_[at].hash = hash;
  __atomic_store_n(&slots_[at].number, ++count_, __ATOMIC_RELEASE);
  return count_;
}

uint64_t StackTable::take_refused() {
  const uint64_t refused = __atomic_load_n(&refused_, __ATOMIC_RELAXED);
  const uint64_t more = refused - reported_refused_;
  reported_refused_ = refused;
  return more;
}

}  // namespace tauprof::capture
