#include "metrics/rank_health.h"

namespace tauprof {

RankHealth rank_health(const ProcessTrace& trace, const DeviceTrace& device) {
  double clock_sum = 0;
  size_t clocks = 0;
  const TelemetryReading *first_wait = nullptr, *last_wait = nullptr;
  for (const TelemetryReading& reading : trace.telemetry) {
    const std::string_view metric = trace.names[reading.metric];
    if (metric == "sm_clock_mhz" && reading.device == device.device) {
      clock_sum += static_cast<double>(reading.value);
      ++clocks;
    } else if (metric == "cpu_wait_ns") {  // since the process began
      if (first_wait == nullptr) first_wait = &reading;
      last_wait = &reading;
    }
  }
  RankHealth health;
  if (clocks > 0) health.sm_clock_mhz = clock_sum / static_cast<double>(clocks);
  if (first_wait != nullptr && last_wait->time > first_wait->time)
    health.cpu_wait_share = static_cast<double>(last_wait->value - first_wait->value) /
                            static_cast<double>(last_wait->time - first_wait->time);
  return health;
}

}  // namespace tauprof
