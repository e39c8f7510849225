// Telemetry of each rank over the analysed steps, and whether the job's steps follow it.
//
// Steps follow a sensor if their durations rise or fall with its readings by more than chance. Pearson's correlation r
// over the steps is tested as of as many pairs as the series are worth: Bartlett ("Some aspects of the time-correlation
// problem", Journal of the Royal Statistical Society 98, 1935) divides their number by the sum of the products of both
// autocorrelations, which is at most the smaller autocorrelation time of the two, so that is what it is divided by. The
// p-values are adjusted for all tests of the run. Example: a rank's clock alternates between 1980 and 1400 MHz every
// few steps, which take 100 and 130 ms: r = −1, and the steps follow it. If it fell once, after 50 of 100 steps, those
// are worth two pairs, which prove nothing. A sensor that hardly moves is not tested.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "metrics/statistics/step_selection.h"
#include "model/rank_timeline.h"

namespace tauprof {

// kSlowed: 1 while a device gives a reason why its clock is lower than it could be, else 0.
enum class Sensor : uint8_t { kClock, kPower, kTemperature, kSlowed };
inline constexpr size_t kSensorCount = 4;
inline constexpr std::array<std::string_view, kSensorCount> kSensorNames = {"sm_clock_mhz", "power_w", "temperature_c",
                                                                            "slowed"};

struct SensorRange {
  double mean = 0;
  double least = 0;
  double most = 0;
};

struct FollowedSensor {
  Sensor sensor = Sensor::kClock;
  double correlation = 0;  // with the durations of steps
  double p_adjusted = 1;
};

struct TelemetryOfRank {
  int32_t rank = -1;
  size_t steps = 0;                                             // analysed, with readings of its device
  std::array<std::optional<SensorRange>, kSensorCount> ranges;  // of the steps' means
  std::optional<double> clock_of_peers;  // its mean clock over the median of the other ranks' with the same device
  std::map<uint64_t, size_t> throttled_steps;  // by NVML's bit (stragglers/throttle_reasons.h)
  size_t overheated_steps = 0;                 // in which heat or a fault of the hardware slowed it down
  std::optional<double> cpu_wait_ns_per_step;
  std::vector<FollowedSensor> followed;

  const std::optional<SensorRange>& range(Sensor sensor) const { return ranges[static_cast<size_t>(sensor)]; }
  bool has_device() const { return steps > 0; }
};

// Those of which anything was recorded.
std::vector<TelemetryOfRank> telemetry_table(const std::vector<const RankTimeline*>& ranks, const StepSelection& steps);

}  // namespace tauprof
