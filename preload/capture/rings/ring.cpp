#include "capture/rings/ring.h"

namespace tauprof::capture {

Doorbell writer_doorbell;

void Ring::init(size_t bytes) {
  const size_t room = (bytes - sizeof(Ring)) / sizeof(Unit);
  size_t capacity = 64;
  while (capacity * 2 <= room) capacity *= 2;
  bytes_ = bytes;
  units_ = reinterpret_cast<Unit*>(this + 1);
  mask_ = capacity - 1;
  limit_ = capacity / 2;
}

bool Ring::reserve_beyond_limit(unsigned units, DropKind kind) {
  const uint64_t capacity = mask_ + 1;
  const uint64_t tail = __atomic_load_n(&tail_, __ATOMIC_ACQUIRE);
  const uint64_t half = tail + capacity / 2, full = tail + capacity;
  if (head_ + units <= half) {
    limit_ = half;
    return true;
  }
  // At most one wake-up per half ring: the limit moves to the end, and back only after a drain.
  if (limit_ != full) writer_doorbell.ring();
  limit_ = full;
  if (head_ + units <= full) return true;
  __atomic_store_n(&announced_, 0, __ATOMIC_RELAXED);
  uint64_t& dropped = dropped_[static_cast<unsigned>(kind)];
  __atomic_store_n(&dropped, dropped + 1, __ATOMIC_RELAXED);
  return false;
}

uint64_t Ring::take_drops(DropKind kind) {
  const auto number = static_cast<unsigned>(kind);
  const uint64_t dropped = __atomic_load_n(&dropped_[number], __ATOMIC_RELAXED);
  const uint64_t more = dropped - reported_dropped_[number];
  reported_dropped_[number] = dropped;
  return more;
}

}  // namespace tauprof::capture
