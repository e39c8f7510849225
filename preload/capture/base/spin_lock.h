// A lock for rare, brief work: creating a communicator, taking a ring. Never on the path of a launch.
//
// A thread that holds one takes no signals meanwhile: a handler of the program may call exit(), or a hooked function,
// which would wait for the lock that its own thread holds.
//
// A forked child has only the thread that forked, so nobody would release a lock that another thread held. Therefore a
// lock is taken in the name of a generation, and each child starts a new one: locks of older generations are free.
// The lost holder's change may be half done; all tables stay usable then.
#pragma once

#include <sched.h>
#include <stdint.h>

#include "capture/base/signals.h"

namespace tauprof::capture {

class SpinLock {
 public:
  explicit SpinLock(uint32_t& word) : word_(word) {
    for (;; is_quiet() ? spin_once() : static_cast<void>(sched_yield())) {
      uint32_t holder = __atomic_load_n(&word_, __ATOMIC_RELAXED);
      if (holder != generation_ &&
          __atomic_compare_exchange_n(&word_, &holder, generation_, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
        return;
    }
  }
  ~SpinLock() { __atomic_store_n(&word_, 0, __ATOMIC_RELEASE); }
  SpinLock(const SpinLock&) = delete;
  SpinLock& operator=(const SpinLock&) = delete;

  // For a forked child.
  static void forget_lost_holders() { ++generation_; }

 private:
  static inline uint32_t generation_ = 1;
  const BlockedSignals signals_;  // released last
  uint32_t& word_;
};

}  // namespace tauprof::capture
