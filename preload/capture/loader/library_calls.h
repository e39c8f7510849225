// The recorder's thread calls functions of libraries that it does not keep loaded: the runtime's events, versions.
// dlclose() lets such a call end before it unloads anything, and waits no longer than kLongestWaitNs.
#pragma once

#include <stdint.h>

#include "capture/base/futex.h"

namespace tauprof::capture {

// Moves when libraries have gone: a function that was found before must be found again before it is called.
inline uint32_t library_generation;

inline uint32_t library_calls;  // 1: the recorder's thread is in a call; plus 2 for each dlclose() under way

// Of the recorder's thread: while one of these exists and is true, no library goes. False: one may be going.
class LibraryCalls {
 public:
  LibraryCalls() {
    uint32_t nothing = 0;
    are_allowed_ =
        __atomic_compare_exchange_n(&library_calls, &nothing, 1, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
  }
  ~LibraryCalls() {
    if (are_allowed_ && __atomic_and_fetch(&library_calls, ~1u, __ATOMIC_RELEASE) != 0) futex_wake(&library_calls);
  }
  LibraryCalls(const LibraryCalls&) = delete;
  LibraryCalls& operator=(const LibraryCalls&) = delete;
  explicit operator bool() const { return are_allowed_; }

 private:
  bool are_allowed_;
};

class NoLibraryCalls {
 public:
  static constexpr uint64_t kLongestWaitNs = 100'000'000;
  NoLibraryCalls() {
    const uint32_t now = __atomic_add_fetch(&library_calls, 2, __ATOMIC_ACQ_REL);
    if (now & 1) futex_wait(&library_calls, now, kLongestWaitNs);
  }
  ~NoLibraryCalls() { __atomic_sub_fetch(&library_calls, 2, __ATOMIC_RELEASE); }
  NoLibraryCalls(const NoLibraryCalls&) = delete;
  NoLibraryCalls& operator=(const NoLibraryCalls&) = delete;
};

}  // namespace tauprof::capture
