// One thread's records on their way to the writer thread: a ring of units with one producer (the
// thread) and one consumer (the writer), in memory of its own. Nothing here waits: when the ring is
// full, records are dropped and counted.
//
// Beside the records stands the call that the thread is in, so that one that does not return can be told of. Nobody
// takes it back: once the call's record is there, it has returned.
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
  static constexpr unsigned kMostFunctions = 1023;  // that can be announced

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

  // The thread is about to make this call: one plain store, so the time's low bits give way to the function.
  void announce(uint16_t function, uint64_t start_ticks) {
    __atomic_store_n(&announced_, (start_ticks & ~kFunctionMask) | (function + 1u), __ATOMIC_RELAXED);
  }

  // ---- Consumer ----
  // The call that was announced last, and whether there was one.
  struct AnnouncedCall {
    uint16_t function;
    uint64_t start;  // ticks, up to kFunctionMask too early
  };
  bool announced(AnnouncedCall& call) const {
    const uint64_t word = __atomic_load_n(&announced_, __ATOMIC_RELAXED);
    call = {static_cast<uint16_t>((word & kFunctionMask) - 1), word & ~kFunctionMask};
    return word != 0;
  }
  // Once the thread has ended.
  void forget_announced() { __atomic_store_n(&announced_, 0, __ATOMIC_RELAXED); }
  static uint64_t announced_start(uint64_t ticks) { return ticks & ~kFunctionMask; }
  // Calls take(units) for every record; what it holds stays valid until the call returns.
  template <class Take>
  void drain(Take take);
  // Records dropped since the last call, by kind.
  uint64_t take_drops(DropKind kind);

 private:
  static constexpr uint64_t kFunctionMask = kMostFunctions;
  bool reserve_beyond_limit(unsigned units, DropKind kind);

  // Producer's line.
  alignas(64) uint64_t head_;
  uint64_t announced_;  // 0: no call, or one whose record was dropped
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
