// The categories being recorded at this moment: one word, which every hook reads once.
//
// Its low bits are the categories of calls that are recorded now (Category in settings/configuration.h, chosen with
// TAUPROF_CAPTURE); all are 0 while the recording window is closed. While a session runs, RecordWindow sets the word
// (capture/window/record_window.cpp); before that, and in a forked child, capture/session/session.cpp does.
#pragma once

#include <stdint.h>

#include "capture/settings/configuration.h"

namespace tauprof::capture {

// The bits above the categories:
enum RecordingBit : uint32_t {
  kNotStarted = 1u << 16,    // the next real CUDA call starts the session
  kTracking = 1u << 17,      // a session runs: communicators, devices and ranges are tracked, recording or not
  kFollowsSteps = 1u << 18,  // the recording window is told of ranges, and of what PyTorch does
  kFollowsCalls = 1u << 19,  // and of each call that launches or blocks, before it is made
  kAsksPhases = 1u << 20,    // NCCL is asked for the phases of its kernels, recording or not
  // Independent of the other bits:
  kCapturing = 1u << 21,            // a graph is being captured
  kTimesWithEvents = 1u << 22,      // CUDA events time device work: two around each launch
  kTicksAreNanoseconds = 1u << 23,  // the time stamp counter cannot be used
};
inline constexpr uint32_t kIndependentBits = kCapturing | kTimesWithEvents | kTicksAreNanoseconds;

extern uint32_t recording_bits [[gnu::visibility("hidden")]];

inline uint32_t recording() { return __atomic_load_n(&recording_bits, __ATOMIC_RELAXED); }
inline void set_recording(uint32_t bits) {
  uint32_t before = recording();
  while (!__atomic_compare_exchange_n(&recording_bits, &before, bits | (before & kIndependentBits), false,
                                      __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) {
  }
}
// Sets or clears one of the independent bits.
inline void set_independent(RecordingBit bit, bool is_set) {
  if (is_set)
    __atomic_or_fetch(&recording_bits, bit, __ATOMIC_RELEASE);
  else
    __atomic_and_fetch(&recording_bits, ~bit, __ATOMIC_RELEASE);
}
void set_capturing(bool is_any_open);
// False: nothing is recorded in this process, now or later.
inline bool may_record() { return (recording() & ~kIndependentBits) != 0; }

}  // namespace tauprof::capture
