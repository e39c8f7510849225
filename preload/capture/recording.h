// Whether anything is recorded at this moment: one word that every hook reads once.
#pragma once

#include <stdint.h>

#include "capture/settings/configuration.h"

namespace tauprof::capture {

// Besides the bits of Category, of what is recorded now:
enum RecordingBit : uint32_t {
  kNotStarted = 1u << 16,    // the next real CUDA call starts the session
  kTracking = 1u << 17,      // a session runs: communicators, devices and windows are followed, recording or not
  kFollowsSteps = 1u << 18,  // launches are told to the step window before they are made
};

extern uint32_t recording_bits;

inline uint32_t recording() { return __atomic_load_n(&recording_bits, __ATOMIC_RELAXED); }
inline void set_recording(uint32_t bits) { __atomic_store_n(&recording_bits, bits, __ATOMIC_RELEASE); }

}  // namespace tauprof::capture
