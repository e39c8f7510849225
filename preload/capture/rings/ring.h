// One thread's records on their way to the writer thread: a ring of units with one producer (the
// thread) and one consumer (the writer), in memory of its own. Nothing here waits: when the ring is
// full, records are dropped and counted.
//
// The producer keeps a limit up to which it may write without looking at the consumer's side. It lies
// at half the ring first: whoever passes it with half of the ring still unread wakes the writer.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "capture/rings/recorded_unit.h"

namespace tauprof::capture {

// What a dropped record would have been.
enum class DropKind : uint8_t { kCall, kGemm, kCollective, kRange, kMark, kCount };
inline constexpr unsigned kDropKinds = static_cast<unsigned>(DropKind::kCount);

class Ring {
 public:
  // The ring lies at the beginning of `bytes` of zeroed memory, its units behind it.
  void begin(size_t bytes);
  size_t bytes() const { return bytes_; }

  // ---- Producer ----
  // Room for `units` without a look at the consumer's side.
  bool has_room(unsigned units) const { return head_ + units <= limit_; }
  // Room for `units`; false: dropped, and counted as `kind`.
  bool reserve(unsigned units, DropKind kind) { return has_room(units) || reserve_beyond_limit(units, kind); }
  Unit& unit(unsigned offset) { return units_[(head_ + offset) & mask_]; }
  void publish(unsigned units) {
    // The writer has read what stood here last time: bring the line back before it is needed.
    constexpr unsigned kAhead = 16;
    __builtin_prefetch(&unit(kAhead), 1);
    __atomic_store_n(&head_, head_ + units, __ATOMIC_RELEASE);
  }

  // ---- Consumer ----
  // Calls take(units) for every record; what it holds stays valid until the call returns.
  template <class Take>
  void drain(Take take);
  // Records dropped since the last call, by kind.
  uint64_t take_drops(DropKind kind);

 private:
  bool reserve_beyond_limit(unsigned units, DropKind kind);

  // Producer's line.
  alignas(64) uint64_t head_;
  uint64_t limit_;
  uint64_t mask_;
  Unit* units_;
  uint64_t dropped_[kDropKinds];
  // Consumer's line.
  alignas(64) uint64_t tail_;
  uint64_t told_dropped_[kDropKinds];
  size_t bytes_;
};

template <class Take>
void Ring::drain(Take take) {
  const uint64_t end = __atomic_load_n(&head_, __ATOMIC_ACQUIRE);
  uint64_t at = tail_;
  while (at != end) {
    const UnitHead& head = units_[at & mask_].head;
    Unit record[kMostUnits];
    const unsigned units = head.units;
    for (unsigned i = 0; i < units; ++i) record[i] = units_[(at + i) & mask_];
    take(record);
    at += units;
    // Room for the producer soon, without bouncing its cache line for every record.
    if ((at & 1023) < kMostUnits) __atomic_store_n(&tail_, at, __ATOMIC_RELEASE);
  }
  __atomic_store_n(&tail_, at, __ATOMIC_RELEASE);
}

// Wakes the writer thread; defined beside it.
void wake_writer();

}  // namespace tauprof::capture
