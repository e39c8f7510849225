// The recorder's time on the program's threads besides the fixed cost of each record. It is measured, because nobody
// can say beforehand how long a CUDA call takes. Read by the writer thread for the log's `cost`.
#pragma once

#include <stdint.h>

#include "capture/base/ticks.h"
#include "capture/rings/thread_state.h"

namespace tauprof::capture {

enum class OwnWork : uint8_t { kEvents, kCupti, kStacks };

extern uint64_t own_ticks[3];  // by OwnWork, of all threads

inline uint64_t own_ticks_of(OwnWork work) {
  return __atomic_load_n(&own_ticks[static_cast<int>(work)], __ATOMIC_RELAXED);
}

// Whether this thread is one of the program's that calls hooked functions: not the writer thread, nor one of CUPTI's.
inline bool is_recorded_thread() { return thread_state.ring != nullptr; }

// Counts the time of its life. What starts inside another one is part of that (giving CUPTI back flushes, which calls
// back), so no time counts twice.
class OwnTime {
 public:
  explicit OwnTime(OwnWork work, bool is_program_thread = true)
      : work_(work), is_outermost_(is_program_thread && !thread_state.is_own_time) {
    if (!is_outermost_) return;
    thread_state.is_own_time = true;
    start_ = read_ticks();
  }
  ~OwnTime() {
    if (!is_outermost_) return;
    __atomic_add_fetch(&own_ticks[static_cast<int>(work_)], read_ticks() - start_, __ATOMIC_RELAXED);
    thread_state.is_own_time = false;
  }
  OwnTime(const OwnTime&) = delete;
  OwnTime& operator=(const OwnTime&) = delete;

 private:
  const OwnWork work_;
  const bool is_outermost_;
  uint64_t start_ = 0;
};

}  // namespace tauprof::capture
