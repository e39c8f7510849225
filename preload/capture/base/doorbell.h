// Wakes one thread that sleeps between its cycles. Ringing makes a system call only if the bell has not rung yet.
#pragma once

#include <stdint.h>

#include "capture/base/futex.h"

namespace tauprof::capture {

class Doorbell {
 public:
  // Any thread.
  void ring() {
    if (__atomic_exchange_n(&has_rung_, 1, __ATOMIC_SEQ_CST) != 0) return;
    futex_wake(&has_rung_);
    if (const auto answer = __atomic_load_n(&answer_, __ATOMIC_SEQ_CST); answer != nullptr) answer();
  }
  // Nobody waits from now on: who rings calls `answer`. Null: somebody does.
  void hand_over(void (*answer)()) { __atomic_store_n(&answer_, answer, __ATOMIC_SEQ_CST); }
  bool has_rung() const { return __atomic_load_n(&has_rung_, __ATOMIC_SEQ_CST) != 0; }
  // Waits until it rings, at most `ns`; returns at once if it has rung since the last wait.
  void wait(uint64_t ns) {
    if (__atomic_load_n(&has_rung_, __ATOMIC_ACQUIRE) == 0) futex_wait(&has_rung_, 0, ns);
    __atomic_store_n(&has_rung_, 0, __ATOMIC_RELEASE);
  }

 private:
  uint32_t has_rung_ = 0;
  void (*answer_)() = nullptr;
};

}  // namespace tauprof::capture
