// What telemetry says of a rank's device and host during a step, where it was recorded.
#pragma once

#include <cstdint>
#include <optional>

#include "model/time.h"

namespace tauprof {

struct StepHealth {
  std::optional<double> sm_clock_mhz;   // of its device
  uint64_t throttle_reasons = 0;        // bits of NVML's, of all readings
  std::optional<Nanoseconds> cpu_wait;  // its launching threads were ready to run, and had no CPU
};

}  // namespace tauprof
