// Waits for a word in memory to change, by system call: no dependence on the version of a library.
#pragma once

#include <linux/futex.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "capture/base/quiet.h"

namespace tauprof::capture {

// Returns when woken, if `word` is not `value`, after `timeout_ns`, or spuriously.
inline void futex_wait(uint32_t* word, uint32_t value, uint64_t timeout_ns) {
  if (is_quiet()) return spin_once();
  const timespec timeout{static_cast<time_t>(timeout_ns / 1'000'000'000),
                         static_cast<long>(timeout_ns % 1'000'000'000)};
  syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, &timeout, nullptr, 0);
}

// The recorder's own threads never sleep for long: where nobody may wake them, they look themselves.
inline void futex_wake(uint32_t* word) {
  if (!is_quiet()) syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, INT32_MAX, nullptr, nullptr, 0);
}

}  // namespace tauprof::capture
