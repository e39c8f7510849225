// Clocks in nanoseconds. The log's clock is CLOCK_MONOTONIC.
#pragma once

#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "capture/base/quiet.h"

namespace tauprof::capture {

inline uint64_t clock_ns(clockid_t clock) {
  timespec now = {};
  clock_gettime(clock, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(now.tv_nsec);
}

// The time on the log's clock.
inline uint64_t now_ns() { return clock_ns(CLOCK_MONOTONIC); }

// The same asked of the kernel itself, unless it does not answer.
inline uint64_t kernel_clock_ns(clockid_t clock) {
  timespec now = {};
  if (is_quiet() || syscall(SYS_clock_gettime, clock, &now) != 0) return clock_ns(clock);
  return static_cast<uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(now.tv_nsec);
}

// The CPU time of another thread of this process, by the kernel's id of the thread; its number is part of the kernel's
// interface (clock_getcpuclockid(3)).
inline clockid_t cpu_clock_of(uint32_t thread) { return static_cast<clockid_t>(~thread << 3 | 6); }

// For waits with a limit: a preloaded library may have changed the log's clock.
inline uint64_t kernel_now_ns() { return kernel_clock_ns(CLOCK_MONOTONIC); }

}  // namespace tauprof::capture
