// The recorder calls functions of libraries that it does not keep loaded: the runtime's events, versions. dlclose()
// lets such calls end before it unloads anything, and no longer than kLongestWaitNs: they take microseconds, unless the
// driver is busy.
#pragma once

#include <stdint.h>

#include "capture/base/clock.h"
#include "capture/base/futex.h"

namespace tauprof::capture {

// Moves when libraries have gone: a function that was found before must be found again before it is called.
inline uint32_t library_generation;

inline constexpr uint32_t kOneClosing = 1u << 16;
inline uint32_t library_calls;  // the calls under way; plus kOneClosing for each dlclose() under way

// While one of these exists and is true, no library goes. False: one may be going.
class LibraryCalls {
 public:
  LibraryCalls() {
    uint32_t now = __atomic_load_n(&library_calls, __ATOMIC_RELAXED);
    while (now < kOneClosing && !are_allowed_)
      are_allowed_ =
          __atomic_compare_exchange_n(&library_calls, &now, now + 1, true, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
  }
  ~LibraryCalls() {
    if (are_allowed_ && __atomic_sub_fetch(&library_calls, 1, __ATOMIC_RELEASE) % kOneClosing == 0 && is_awaited())
      futex_wake(&library_calls);
  }
  LibraryCalls(const LibraryCalls&) = delete;
  LibraryCalls& operator=(const LibraryCalls&) = delete;
  explicit operator bool() const { return are_allowed_; }
  // Whether a dlclose() waits for the end of the calls.
  static bool is_awaited() { return __atomic_load_n(&library_calls, __ATOMIC_RELAXED) >= kOneClosing; }

 private:
  bool are_allowed_ = false;
};

class NoLibraryCalls {
 public:
  static constexpr uint64_t kLongestWaitNs = 2'000'000'000;
  NoLibraryCalls() {
    uint32_t now = __atomic_add_fetch(&library_calls, kOneClosing, __ATOMIC_ACQ_REL);
    if (now % kOneClosing == 0) return;
    const uint64_t until = kernel_now_ns() + kLongestWaitNs;
    for (uint64_t time; now % kOneClosing != 0 && (time = kernel_now_ns()) < until;
         now = __atomic_load_n(&library_calls, __ATOMIC_ACQUIRE))
      futex_wait(&library_calls, now, until - time);
  }
  ~NoLibraryCalls() { __atomic_sub_fetch(&library_calls, kOneClosing, __ATOMIC_RELEASE); }
  NoLibraryCalls(const NoLibraryCalls&) = delete;
  NoLibraryCalls& operator=(const NoLibraryCalls&) = delete;
};

}  // namespace tauprof::capture
