// A lock for rare, brief work: creating a communicator, taking a ring. Never on the path of a launch.
//
// A thread that holds one takes no signals meanwhile: a handler of the program may call exit(), or a hooked function,
// which would wait for the lock that its own thread holds.
#pragma once

#include <sched.h>
#include <stdint.h>

#include "capture/base/signals.h"

namespace tauprof::capture {

class SpinLock {
 public:
  explicit SpinLock(uint32_t& word) : word_(word) {
    while (__atomic_exchange_n(&word_, 1, __ATOMIC_ACQUIRE)) sched_yield();
  }
  ~SpinLock() { __atomic_store_n(&word_, 0, __ATOMIC_RELEASE); }
  SpinLock(const SpinLock&) = delete;
  SpinLock& operator=(const SpinLock&) = delete;

 private:
  const BlockedSignals signals_;  // released last
  uint32_t& word_;
};

}  // namespace tauprof::capture
