// The buffers that CUPTI fills with activity records. CUPTI asks for them on threads that launch work, and hands them
// back on any thread, so both are a few atomic operations; only the first use of a buffer allocates. Buffers with
// records wait in a list for the writer thread, which may be slow: neither end ever waits for it.
//
// Each buffer is an allocation of its own: another client of CUPTI may get one and free() it, as Proton does. Such a
// buffer stays lent until malloc() returns its address again, and counts against the memory until then.
//
// CUPTI hands a buffer over when it is full and all of its work has ended. On a device that is never idle a flush finds
// no such buffer but full ones, so buffers hold only as many records as come in some 50 ms: a killed process loses no
// more.
//
// While none is free, CUPTI gets a small scratch buffer, whose records are counted and lost. (Of records that it drops
// for lack of a buffer, CUPTI says only how many they are, with those of calls, which are no loss.) If there is no
// scratch left either, the request is refused, but for versions that crash then.
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace tauprof::capture {

// Why CUPTI was made to hand over buffers with unfinished work. Such work has no times.
enum class Forced : uint8_t { kNot, kWorkIsStuck, kGivingWay, kEnding };

class ActivityBuffers {
 public:
  static constexpr uint32_t kMost = 64;
  static constexpr uint32_t kMostScratch = 256;

  // Uses up to `bytes`.
  void init(size_t bytes, bool may_refuse);

  // ---- Any thread, from CUPTI's callbacks ----
  uint8_t* request(size_t& size, size_t& most_records, uint64_t now);
  void complete(uint8_t* bytes, size_t valid, uint64_t now, Forced forced);
  bool is_scratch(const uint8_t* bytes) const { return find(bytes, kMost, kMost + kMostScratch) != kNone; }
  void give_back_scratch(const uint8_t* bytes);

  // ---- The writer thread ----
  // Visits all completed buffers twice, in the order of completion: visit(bytes, valid, forced, true) for all of them,
  // then visit(bytes, valid, forced, false). Then CUPTI may have them again.
  template <class Visit>
  void take_completed(Visit visit);

  // How CUPTI uses them.
  struct Use {
    uint32_t lent;         // buffers that CUPTI has
    uint64_t room;         // at least as many records as fit into these
    uint64_t requests;     // since the start
    uint64_t completed;    // since the start
    uint64_t waits_since;  // the newest completion, or the request before which CUPTI had no buffer
  };
  Use use() const;
  uint64_t requests() const { return __atomic_load_n(&requests_, __ATOMIC_RELAXED); }
  // Whether all buffers of the first so many requests have been handed over and read.
  bool are_back(uint64_t requests) const;
  // Buffers that another client has freed.
  uint32_t freed_by_others() const { return __atomic_load_n(&freed_by_others_, __ATOMIC_RELAXED); }

 private:
  static constexpr uint32_t kNone = 0xFFFFFFFF;

  struct Slot {
    uint8_t* bytes;  // null: not allocated yet
    uint32_t next;   // in the list of completed buffers
    Forced forced;
    size_t valid;
    uint32_t room;     // for records, in its last use
    uint64_t request;  // for which CUPTI got it last
  };
  static uint32_t take_bit(uint64_t& free);
  uint32_t find(const uint8_t* bytes, uint32_t first, uint32_t end) const;
  bool allocate(uint32_t index, size_t size);
  uint8_t* request_scratch(size_t& size);
  uint32_t records_wanted(uint64_t now);
  uint32_t take_list();
  uint64_t& free_bits(uint32_t index) { return index < kMost ? free_ : free_scratch_[(index - kMost) / 64]; }
  void give_back(uint32_t index) { __atomic_fetch_or(&free_bits(index), uint64_t{1} << index % 64, __ATOMIC_RELEASE); }

  size_t size_ = 0;  // of one
  uint32_t count_ = 0;
  bool may_refuse_ = true;
  uint64_t free_ = 0;  // one bit per buffer
  uint64_t free_scratch_[kMostScratch / 64] = {};
  uint32_t newest_ = kNone;
  uint32_t records_ = 0;  // that the next buffer shall hold
  uint32_t freed_by_others_ = 0;
  uint64_t requested_at_ = 0;
  uint64_t waits_since_ = 0;
  uint64_t requests_ = 0;
  uint64_t completions_ = 0;
  Slot slots_[kMost + kMostScratch] = {};
};

template <class Visit>
void ActivityBuffers::take_completed(Visit visit) {
  const uint32_t first = take_list();
  for (uint32_t i = first; i != kNone; i = slots_[i].next)
    visit(slots_[i].bytes, slots_[i].valid, slots_[i].forced, true);
  for (uint32_t i = first; i != kNone;) {
    const uint32_t next = slots_[i].next;
    visit(slots_[i].bytes, slots_[i].valid, slots_[i].forced, false);
    give_back(i);
    i = next;
  }
}

}  // namespace tauprof::capture
