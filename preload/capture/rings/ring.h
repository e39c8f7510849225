// Carries one thread's records to the writer thread: a ring of units with one producer (the thread) and one consumer
// (the writer). Neither ever waits: while the ring is full, records are dropped and counted.
//
// The ring has the memory that its thread needs: none or a page at first, four times as much whenever the thread fills
// it faster than the writer drains it. The producer moves on to other memory by itself, between two records; the
// consumer follows when it comes to that place, and returns what was before. Positions in the ring only ever increase,
// so the order of the records stays:
//
//     [0, 96) in a page, [96, …) in four pages
//
// Where calls were dropped, a unit stands before the next record that says from when to when, so that device work which
// they launched is not taken for work of a call that no hook saw.
//
// Beside the records, the ring names the call that the thread has entered, so that a call which never returns can be
// reported. The announcement stays when the call returns; the call's record then says that it has returned.
//
// The producer keeps a limit up to which it may write without looking at the consumer's side. The limit is half a ring
// ahead of what has been read, and no further than where the ring starts again, so that up to there a position is an
// address without a mask. A producer that reaches it with half of the ring unread takes a larger ring or wakes the
// writer.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "capture/base/doorbell.h"
#include "capture/rings/recorded_unit.h"

namespace tauprof::capture {

// The kinds of records, for the counts of dropped ones.
enum class DropKind : uint8_t { kCall, kGemm, kCollective, kRange, kMark, kPhases, kCount };
inline constexpr unsigned kDropKinds = static_cast<unsigned>(DropKind::kCount);

class Ring {
 public:
  static constexpr unsigned kMostFunctions = 1023;  // limit of announce()

  // A zeroed ring has no memory. It takes some for its first record; or gives it `pages` now, if there are any.
  void init(uint32_t pages = 1);

  // ---- Producer ----
  // Whether there is room for `units` without a look at the consumer's side.
  bool has_room(unsigned units) const { return head_ + (units - 1) < __atomic_load_n(&limit_, __ATOMIC_RELAXED); }
  // Makes sure of room for `units` of a record of the time from `start` to `end`, in ticks. False: there is none, and a
  // dropped record of this kind is counted.
  bool reserve(unsigned units, DropKind kind, uint64_t start, uint64_t end) {
    return has_room(units) || reserve_beyond_limit(units, kind, start, end);
  }
  // Calls of this time have no record, for want of a ring.
  void note_dropped(uint64_t start, uint64_t end);
  Unit& unit(unsigned offset) { return units_[(head_ + offset) & mask_]; }
  Unit& first_unit() { return unmasked_[head_]; }  // the same as unit(0), if there is room for it
  void publish(unsigned units) {
    // The writer last touched this cache line; prefetch it.
    constexpr unsigned kAhead = 16;
    __builtin_prefetch(unmasked_ + head_ + kAhead, 1);
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
  // The start that AnnouncedCall has for a call that started at `ticks`.
  static uint64_t announced_start(uint64_t ticks) { return ticks & ~kFunctionMask; }
  // Calls take(units) for every record. The units are valid until take() returns.
  template <class Take>
  void drain(Take take);
  // Records dropped since the last call, by kind.
  uint64_t take_drops(DropKind kind);
  // Asks the producer to return a ring of more than a page when it next makes a call. It is quiet if it used little of
  // the ring since the last call of this function.
  void ask_back_if_quiet();
  // Returns the memory of a ring whose thread has ended and that has been drained. It is as new then.
  void clear();

 private:
  static constexpr uint64_t kFunctionMask = kMostFunctions;
  static constexpr uint32_t kMostParts = 8;
  // Positions from `start` on lie in `units`, up to the start of the next part.
  struct Part {
    uint64_t start;
    Unit* units;
    uint64_t mask;
    uint32_t pages() const;
  };

  bool reserve_beyond_limit(unsigned units, DropKind kind, uint64_t start, uint64_t end);
  bool make_room(unsigned units);
  bool grow();
  bool move_to(uint32_t pages);
  void set_limit(uint64_t limit);
  void put_dropped_time();
  void follow_to(uint64_t position);

  // Producer's line.
  alignas(64) uint64_t head_;
  uint64_t announced_;  // 0: no call, or one whose record was dropped
  uint64_t limit_;      // 0 after a drop, or when the consumer asks for memory: look at the slow path
  Unit* unmasked_;      // unmasked_[head_] is units_[head_ & mask_]
  uint64_t mask_;
  Unit* units_;
  uint64_t part_start_;
  uint32_t newest_part_;
  // Producer's, rarely.
  alignas(64) uint64_t woken_at_;  // the end of the ring for which the writer has been woken
  uint64_t dropped_[kDropKinds];
  uint64_t dropped_from_, dropped_to_;  // ticks, of calls that the ring does not tell yet; 0: none
  uint32_t is_asked_back_;
  Part parts_[kMostParts];  // by number % kMostParts
  // Consumer's line.
  alignas(64) uint64_t tail_;
  uint32_t read_part_;
  uint64_t looked_at_;  // tail_ when ask_back_if_quiet() looked
  uint64_t reported_dropped_[kDropKinds];
};

template <class Take>
void Ring::drain(Take take) {
  const uint64_t end = __atomic_load_n(&head_, __ATOMIC_ACQUIRE);
  uint64_t at = tail_;
  for (;;) {
    follow_to(at);
    if (at == end) break;
    const Part& part = parts_[read_part_ % kMostParts];
    const UnitHeader& header = part.units[at & part.mask].header;
    Unit record[kMostUnits];
    const unsigned units = header.units;
    for (unsigned i = 0; i < units; ++i) record[i] = part.units[(at + i) & part.mask];
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
