#include "capture/stacks/stack_table.h"

#include <string.h>

#include "capture/base/spin_lock.h"
#include "capture/base/zeroed_memory.h"

namespace tauprof::capture {

bool StackTable::init() {
  slots_ = static_cast<Slot*>(map_zeros(kSlots * sizeof(Slot)));
  stacks_ = static_cast<const Stack**>(map_zeros(kMost * sizeof(Stack*)));
  return slots_ != nullptr && stacks_ != nullptr;
}

uint32_t StackTable::find(uint64_t hash) const {
  for (uint32_t at = static_cast<uint32_t>(hash) % kSlots;; at = (at + 1) % kSlots) {
    const uint32_t number = __atomic_load_n(&slots_[at].number, __ATOMIC_ACQUIRE);
    if (number == 0) return 0;
    if (slots_[at].hash == hash) return number;
  }
}

uint32_t StackTable::add(uint64_t hash, const StackFrame* frames, unsigned count) {
  const SpinLock lock(lock_);
  if (const uint32_t known = find(hash)) return known;
  const size_t bytes = sizeof(Stack) + count * sizeof(StackFrame);
  auto* const stack = count_ < kMost - 1 ? static_cast<Stack*>(arena_.reserve(bytes)) : nullptr;
  if (stack == nullptr) {
    __atomic_add_fetch(&refused_, 1, __ATOMIC_RELAXED);
    return 0;
  }
  stack->count = count;
  memcpy(stack->frames, frames, count * sizeof(StackFrame));
  stacks_[count_] = stack;
  uint32_t at = static_cast<uint32_t>(hash) % kSlots;
  while (slots_[at].number != 0) at = (at + 1) % kSlots;
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
