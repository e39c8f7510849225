// Carries one thread's records to the writer thread: a ring of units with one producer (the thread) and one consumer
// (the writer), in memory of its own. Neither ever waits: while the ring is full, records are dropped and counted.
//
// Beside the records, the ring names the call that the thread has entered, so that a call which never returns can be
// reported. The announcement stays when the call returns; the call's record then says that it has returned.
//
// The producer keeps a limit up to which it may write without looking at the consumer's side. The limit is half a ring
// ahead of what has been read; a producer that reaches it with half of the ring unread wakes the writer.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "capture/base/doorbell.h"
#include "capture/rings/recorded_unit.h"

namespace tauprof::capture {

// The kinds of records, for the counts of dropped ones.
enum class DropKind : uint8_t { kCall, kGemm, kCollective, kRange, kMark, kCount };
inline constexpr unsigned kDropKinds = static_cast<unsigned>(DropKind::kCount);

class Ring {
 public:
  static constexpr unsigned kMostFunctions = 1023;  // limit of announce()

  // The ring is the first part of `bytes` of zeroed memory; its units follow.
  void init(size_t bytes);
  size_t bytes() const { return bytes_; }

  // ---- Producer ----
  // Whether there is room for `units` without a look at the consumer's side.
  bool has_room(unsigned units) const { return head_ + units <= limit_; }
  // Makes sure of room for `units`. False: there is none, and a dropped record of this kind is counted.
  bool reserve(unsigned units, DropKind kind) { return has_room(units) || reserve_beyond_limit(units, kind); }
  Unit& unit(unsigned offset) { return units_[(head_ + offset) & mask_]; }
  void publish(unsigned units) {
    // The writer last touched this cache line; prefetch it.
    constexpr unsigned kAhead = 16;
    __builtin_prefetch(&unit(kAhead), 1);
    __atomic_store_n(&head_, head_ + units, __ATOMIC_RELEASE);
  }

  // Announces the call that the thread is about to make. One plain store: the function replaces the low bits of the
  // time.
  void announce(uint16_t function, uint64_t start_ticks) {
    __atomic_store_n(&announced_, (start_ticks & ~kFunctionMask) | (function + 1u), __ATOMIC_RELAXED);
  }

  // ---- Consumer ----
  // The call that was announced last. False: none was, or its record was dropped.
  struct AnnouncedCall {
    uint16_t function;
    uint64_t start;  // ticks, up to kFunctionMask too small
  };
  bool announced(AnnouncedCall& call) const {
    const uint64_t word = __atomic_load_n(&announced_, __ATOMIC_RELAXED);
    call = {static_cast<uint16_t>((word & kFunctionMask) - 1), word & ~kFunctionMask};
    return word != 0;
  }
  // For a thread that has ended.
  void forget_announced() { __atomic_store_n(&announced_, 0, __ATOMIC_RELAXED); }
  // The start that AnnouncedCall has for a call that started at `ticks`.
  static uint64_t announced_start(uint64_t ticks) { return ticks & ~kFunctionMask; }
  // Calls take(units) for every record. The units are valid until take() returns.
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
  uint64_t reported_dropped_[kDropKinds];
  size_t bytes_;
};

template <class Take>
void Ring::drain(Take take) {
  const uint64_t end = __atomic_load_n(&head_, __ATOMIC_ACQUIRE);
  uint64_t at = tail_;
  while (at != end) {
    const UnitHeader& header = units_[at & mask_].header;
    Unit record[kMostUnits];
    const unsigned units = header.units;
    for (unsigned i = 0; i < units; ++i) record[i] = units_[(at + i) & mask_];
    take(record);
    at += units;
    // Frees room early, but does not bounce the producer's cache line for every record.
    if ((at & 1023) < kMostUnits) __atomic_store_n(&tail_, at, __ATOMIC_RELEASE);
  }
  __atomic_store_n(&tail_, at, __ATOMIC_RELEASE);
}

// The writer thread sleeps here between its cycles.
extern Doorbell writer_doorbell;

}  // namespace tauprof::capture
