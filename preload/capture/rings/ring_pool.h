// The rings of all threads. A thread takes one with its first record and leaves it when it ends; once
// drained, another thread gets it. All rings together stay within a bound; a thread that finds no
// memory left records nothing, and its losses are counted.
#pragma once

#include <stdint.h>

#include "capture/rings/ring.h"
#include "capture/rings/thread_state.h"

namespace tauprof::capture {

class RingPool {
 public:
  struct Slot {
    enum State : uint32_t { kFree, kTaken, kLive, kEnded };
    uint32_t state;
    uint32_t number;  // of the thread, from 1
    uint32_t os_id;   // the kernel's thread id
    Ring* ring;
    SampledThread sampled;
  };
  static constexpr uint32_t kMostSlots = 4096;

  // Before the first record. `bytes` bounds all rings.
  bool begin(uint64_t bytes);

  // On a thread that records for the first time. False: there is no ring for it.
  bool attach(ThreadState& thread);
  void count_refused(DropKind kind);

  // ---- The writer thread ----
  uint32_t slots() const { return __atomic_load_n(&used_, __ATOMIC_ACQUIRE); }
  Slot& slot(uint32_t index) { return slots_[index]; }
  // Of the thread with a ring that has this id; 0: none has.
  uint32_t number_of(uint32_t os_id) const;
  // An ended thread's ring has been drained to the end.
  void give_back(Slot& slot) { __atomic_store_n(&slot.state, Slot::kFree, __ATOMIC_RELEASE); }
  uint64_t take_refused(DropKind kind);

 private:
  Slot* claim();
  Slot* claim_free();
  Slot* claim_new();
  static void thread_ended(void* slot);

  Slot slots_[kMostSlots];
  uint32_t used_;
  uint32_t next_number_;
  uint64_t room_;
  uint32_t lock_;
  uint32_t key_;
  uint64_t refused_[kDropKinds];
  uint64_t told_refused_[kDropKinds];
};

extern RingPool ring_pool;

}  // namespace tauprof::capture
