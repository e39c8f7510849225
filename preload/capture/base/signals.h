// Keeps the program's signal handlers away while the recorder works on a thread of the program.
#pragma once

#include <pthread.h>
#include <signal.h>

#include <initializer_list>

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
  BlockedSignals() {
    const sigset_t set = signals_that_wait();
    pthread_sigmask(SIG_BLOCK, &set, &before_);
  }
  ~BlockedSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  BlockedSignals(const BlockedSignals&) = delete;
  BlockedSignals& operator=(const BlockedSignals&) = delete;
  const sigset_t& before() const { return before_; }

 private:
  sigset_t before_;
};

}  // namespace tauprof::capture
