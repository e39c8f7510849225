// Keeps the program's signal handlers away while the recorder works on a thread of the program.
#pragma once

#include <pthread.h>
#include <signal.h>

#include <initializer_list>

#include "capture/base/quiet.h"

namespace tauprof::capture {

// All signals that can wait. Those of a fault in the running instruction cannot.
inline sigset_t signals_that_wait() {
  sigset_t set;
  sigfillset(&set);
  for (const int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGABRT}) sigdelset(&set, fault);
  return set;
}

// While one of these exists, the calling thread takes no signals; they arrive afterwards.
class BlockedSignals {
 public:
  BlockedSignals() : is_quiet_(is_quiet()) {
    if (is_quiet_) return;
    const sigset_t set = signals_that_wait();
    pthread_sigmask(SIG_BLOCK, &set, &before_);
  }
  ~BlockedSignals() {
    if (!is_quiet_) pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  BlockedSignals(const BlockedSignals&) = delete;
  BlockedSignals& operator=(const BlockedSignals&) = delete;
 private:
  const bool is_quiet_;  // then they do arrive: nothing may be asked of the kernel
  sigset_t before_;
};

}  // namespace tauprof::capture
