// What telemetry says of a rank's device and host, where it was recorded.
#pragma once

#include <optional>

namespace tauprof {

struct RankHealth {
  std::optional<double> sm_clock_mhz;    // mean of its device's
  std::optional<double> cpu_wait_share;  // of the time: its threads were ready to run, and had no CPU
};

}  // namespace tauprof
