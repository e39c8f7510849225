// The rings of all threads. A thread takes a ring with its first record. When the thread has ended and the ring is
// drained, another thread may take it. Memory for records comes from ring_memory; a ring that finds none there counts
// what its thread loses. A thread for which there is no ring either is only in the count of all of these together.
#pragma once

#include <stdint.h>

#include "capture/rings/ring.h"
#include "capture/rings/thread_state.h"

namespace tauprof::capture {

class RingPool {
 public:
  struct Slot {
    enum State : uint32_t { kFree, kLive, kEnded };
    Ring ring;
    uint32_t state;
    uint32_t number;     // of the thread, from 1
    uint32_t os_id;      // the kernel's thread id
    uint32_t next_free;  // index + 1 of the next free slot
    char name[16];       // of the thread when it took the ring
    SampledThread sampled;
  };
  static constexpr uint32_t kMostSlots = 8192;

  // Before the first record. `bytes` is the bound of all rings together.
  bool start(uint64_t bytes);

  // Gives the calling thread a ring. False: there is none for it.
  bool attach(ThreadState& thread);
  void count_refused(ThreadState& thread, DropKind kind, uint64_t start);
  void count_refused(DropKind kind) { __atomic_add_fetch(&refused_[static_cast<unsigned>(kind)], 1, __ATOMIC_RELAXED); }

  // A call was left without returning, and has no record.
  void count_left() { __atomic_add_fetch(&left_, 1, __ATOMIC_RELAXED); }

  // ---- The writer thread ----
  uint64_t take_left() { return __atomic_exchange_n(&left_, 0, __ATOMIC_RELAXED); }
  uint32_t slots() const { return __atomic_load_n(&used_, __ATOMIC_ACQUIRE); }
  Slot& slot(uint32_t index) { return slots_[index]; }
  // The number of the thread that has this kernel thread id, among those with a ring; 0: there is none.
  uint32_t number_of(uint32_t os_id) const;
  // For the ring of an ended thread, after the last drain.
  void give_back(Slot& slot);
  uint64_t take_refused(DropKind kind);

 private:
  Slot* claim();
  static void thread_ended(void* slot);

  Slot slots_[kMostSlots];
  uint32_t most_slots_;  // twice as many as the smallest rings that fit
  uint32_t used_;
  uint32_t free_;  // index + 1 of the first free slot below used_
  uint32_t next_number_;
  uint32_t lock_;
  uint32_t key_;
  uint64_t left_;
  uint64_t refused_[kDropKinds];
  uint64_t reported_refused_[kDropKinds];
};

extern RingPool ring_pool;

}  // namespace tauprof::capture
