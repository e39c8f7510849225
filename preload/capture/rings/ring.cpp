#include "capture/rings/ring.h"

#include "capture/rings/ring_memory.h"

namespace tauprof::capture {

Doorbell writer_doorbell;

uint32_t Ring::Part::pages() const {
  return units != nullptr ? static_cast<uint32_t>((mask + 1) / RingMemory::kUnitsInPage) : 0;
}

void Ring::init(uint32_t pages) { move_to(pages); }

// ---- Producer ----

bool Ring::reserve_beyond_limit(unsigned units, DropKind kind, uint64_t start, uint64_t end) {
  if (make_room(units + (dropped_to_ != 0))) {
    if (dropped_to_ != 0) put_dropped_time();
    return true;
  }
  note_dropped(start, end);
  limit_ = 0;
  __atomic_store_n(&announced_, 0, __ATOMIC_RELAXED);
  uint64_t& dropped = dropped_[static_cast<unsigned>(kind)];
  __atomic_store_n(&dropped, dropped + 1, __ATOMIC_RELAXED);
  return false;
}

bool Ring::make_room(unsigned units) {
  if (__atomic_exchange_n(&is_asked_back_, 0, __ATOMIC_RELAXED) != 0 && parts_[newest_part_ % kMostParts].pages() > 1)
    move_to(1);
  const uint64_t capacity = units_ != nullptr ? mask_ + 1 : 0;
  const uint64_t tail = __atomic_load_n(&tail_, __ATOMIC_ACQUIRE);
  const uint64_t oldest = tail > part_start_ ? tail : part_start_;
  const uint64_t half = oldest + capacity / 2, full = oldest + capacity;
  if (head_ + units <= half) {
    set_limit(half);
    return true;
  }
  if (ring_memory.has_plenty() && grow()) return true;
  // At most one wake-up per half ring.
  if (woken_at_ != full) writer_doorbell.ring();
  woken_at_ = full;
  set_limit(full);
  return head_ + units <= full || grow();
}

bool Ring::grow() {
  const Part& part = parts_[newest_part_ % kMostParts];
  const uint32_t pages = part.pages() == 0 ? 1 : part.pages() * 4;
  return pages <= RingMemory::kMostTaken && move_to(pages);
}

// Once the new part is published, the old one belongs to the consumer.
bool Ring::move_to(uint32_t pages) {
  if (newest_part_ + 1 - __atomic_load_n(&read_part_, __ATOMIC_ACQUIRE) == kMostParts) return false;
  Unit* const units = ring_memory.take(pages);
  if (units == nullptr) return false;
  const uint64_t capacity = uint64_t{pages} * RingMemory::kUnitsInPage;
  parts_[(newest_part_ + 1) % kMostParts] = {head_, units, capacity - 1};
  __atomic_store_n(&newest_part_, newest_part_ + 1, __ATOMIC_RELEASE);
  units_ = units;
  mask_ = capacity - 1;
  part_start_ = head_;
  set_limit(head_ + capacity / 2);
  return true;
}

void Ring::set_limit(uint64_t limit) {
  const uint64_t first = head_ & ~mask_, next = first + mask_ + 1;  // positions at which the ring starts
  unmasked_ = units_ - first;
  limit_ = limit < next ? limit : next;
}

void Ring::note_dropped(uint64_t start, uint64_t end) {
  if (end == 0) return;
  if (dropped_to_ == 0) dropped_from_ = start;
  dropped_to_ = end;
}

void Ring::put_dropped_time() {
  unit(0).header = {.start = dropped_from_, .function = kDroppedUnit, .units = 1, .payload = dropped_to_};
  dropped_to_ = 0;
  publish(1);
  unmasked_ = units_ - (head_ & ~mask_);  // it may have been the last unit before the ring starts again
}

// ---- Consumer ----

void Ring::follow_to(uint64_t position) {
  while (read_part_ != __atomic_load_n(&newest_part_, __ATOMIC_ACQUIRE)) {
    if (parts_[(read_part_ + 1) % kMostParts].start != position) return;
    const Part read = parts_[read_part_ % kMostParts];
    __atomic_store_n(&read_part_, read_part_ + 1, __ATOMIC_RELEASE);
    if (read.units != nullptr) ring_memory.give_back(read.units, read.pages());
  }
}

uint64_t Ring::take_drops(DropKind kind) {
  const auto number = static_cast<unsigned>(kind);
  const uint64_t dropped = __atomic_load_n(&dropped_[number], __ATOMIC_RELAXED);
  const uint64_t more = dropped - reported_dropped_[number];
  reported_dropped_[number] = dropped;
  return more;
}

void Ring::ask_back_if_quiet() {
  const Part& part = parts_[read_part_ % kMostParts];
  const uint64_t used = tail_ - looked_at_;
  looked_at_ = tail_;
  if (part.pages() <= 1 || used > RingMemory::kUnitsInPage / 2) return;
  __atomic_store_n(&is_asked_back_, 1, __ATOMIC_RELAXED);
  __atomic_store_n(&limit_, 0, __ATOMIC_RELAXED);  // a store of the producer's may undo this; then the next time
}

void Ring::clear() {
  const Part read = parts_[read_part_ % kMostParts];
  if (read.units != nullptr) ring_memory.give_back(read.units, read.pages());
  *this = {};
}

}  // namespace tauprof::capture
