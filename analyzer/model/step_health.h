// Telemetry of a rank's device and host during a step, if it was recorded.
#pragma once

#include <cstdint>
#include <optional>

#include "model/time.h"

namespace tauprof {

struct StepHealth {
  std::optional<double> sm_clock_mhz;  // of its device
  uint64_t throttle_reasons = 0;       // NVML's bits, of all readings
  std::optional<double> power_w;
  std::optional<double> temperature_c;
  std::optional<Nanoseconds> cpu_wait;  // how long its launching threads were ready to run but had no CPU
};

}  // namespace tauprof
