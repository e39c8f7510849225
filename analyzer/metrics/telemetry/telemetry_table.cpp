#include "metrics/telemetry/telemetry_table.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "limits/analysis_limits.h"
#include "metrics/statistics/autocorrelation.h"
#include "metrics/statistics/distributions.h"
#include "metrics/statistics/false_discovery.h"
#include "metrics/statistics/statistics.h"

namespace tauprof {
namespace {

// NVML's bits: slowdown by heat (in software, in hardware), by the hardware, its power brake; and the power limit,
// which a device that computes hard may well reach.
constexpr uint64_t kHeatOrFault = 0x20 | 0x40 | 0x08 | 0x80;
constexpr uint64_t kSlows = kHeatOrFault | 0x04;

// A rank's readings and the durations of the job's steps, step by step.
struct Series {
  std::vector<double> readings;
  std::vector<double> durations;
};
using SeriesOfRank = std::array<Series, kSensorCount>;

std::optional<double> reading(const StepHealth& health, Sensor sensor) {
  switch (sensor) {
    case Sensor::kClock:
      return health.sm_clock_mhz;
    case Sensor::kPower:
      return health.power_w;
    case Sensor::kTemperature:
      return health.temperature_c;
    default:
      if (!health.sm_clock_mhz) return std::nullopt;
      return (health.throttle_reasons & kSlows) != 0 ? 1.0 : 0.0;
  }
}

std::optional<SensorRange> range_of(const std::vector<double>& readings) {
  if (readings.empty()) return std::nullopt;
  SensorRange range{mean_of(readings), readings.front(), readings.front()};
  for (const double value : readings) {
    range.least = std::min(range.least, value);
    range.most = std::max(range.most, value);
  }
  return range;
}

// None: one of them does not vary.
std::optional<double> correlation_of(const Series& series) {
  const double x_mean = mean_of(series.readings), y_mean = mean_of(series.durations);
  double xx = 0, yy = 0, xy = 0;
  for (size_t i = 0; i < series.readings.size(); ++i) {
    const double x = series.readings[i] - x_mean, y = series.durations[i] - y_mean;
    xx += x * x, yy += y * y, xy += x * y;
  }
  if (xx <= 0 || yy <= 0) return std::nullopt;
  return std::clamp(xy / std::sqrt(xx * yy), -1.0, 1.0);
}

// How likely a correlation as strong is by chance; none: the series are worth too little to tell.
std::optional<double> chance_of(double correlation, const Series& series) {
  const double worth = static_cast<double>(series.readings.size()) /
                       std::min(autocorrelation_time(series.readings), autocorrelation_time(series.durations));
  const double degrees = worth - 2;
  if (degrees < 1) return std::nullopt;
  const double rest = std::max(1e-12, 1 - correlation * correlation);
  return two_sided_p(correlation * std::sqrt(degrees / rest), degrees);
}

class TelemetryTable {
 public:
  TelemetryTable(const std::vector<const RankTimeline*>& ranks, const StepSelection& steps) : steps_(steps) {
    for (const RankTimeline* const rank : ranks) add(*rank);
    compare_clocks(ranks);
    find_followed();
  }

  std::vector<TelemetryOfRank> take() {
    std::erase_if(table_, [](const TelemetryOfRank& telemetry) {
      return !telemetry.has_device() && !telemetry.cpu_wait_ns_per_step;
    });
    return std::move(table_);
  }

 private:
  void add(const RankTimeline& rank) {
    TelemetryOfRank& telemetry = table_.emplace_back();
    SeriesOfRank& series = series_.emplace_back();
    telemetry.rank = rank.rank;
    double waited = 0;
    size_t waits = 0;
    for (const RankStep& step : rank.steps) {
      const std::optional<double> duration = duration_of(step.number);
      if (!duration) continue;
      add_readings(step.health, *duration, series);
      telemetry.steps += step.health.sm_clock_mhz || step.health.power_w || step.health.temperature_c;
      telemetry.overheated_steps += (step.health.throttle_reasons & kHeatOrFault) != 0;
      for (uint64_t bits = step.health.throttle_reasons; bits != 0; bits &= bits - 1)
        ++telemetry.throttled_steps[bits & (~bits + 1)];
      if (!step.health.cpu_wait) continue;
      waited += static_cast<double>(*step.health.cpu_wait);
      ++waits;
    }
    if (waits > 0) telemetry.cpu_wait_ns_per_step = waited / static_cast<double>(waits);
    for (size_t sensor = 0; sensor < kSensorCount; ++sensor)
      telemetry.ranges[sensor] = range_of(series[sensor].readings);
  }

  static void add_readings(const StepHealth& health, double duration, SeriesOfRank& series) {
    for (size_t sensor = 0; sensor < kSensorCount; ++sensor) {
      const std::optional<double> value = reading(health, static_cast<Sensor>(sensor));
      if (!value) continue;
      series[sensor].readings.push_back(*value);
      series[sensor].durations.push_back(duration);
    }
  }

  std::optional<double> duration_of(int64_t step) const {
    const auto found =
        std::lower_bound(steps_.analysed.begin(), steps_.analysed.end(), step,
                         [](const StepDuration& analysed, int64_t number) { return analysed.number < number; });
    if (found == steps_.analysed.end() || found->number != step) return std::nullopt;
    return found->device_ns.value_or(found->host_ns);
  }

  void compare_clocks(const std::vector<const RankTimeline*>& ranks) {
    std::map<std::string_view, std::vector<double>> clocks;  // by device's name
    for (size_t i = 0; i < ranks.size(); ++i)
      if (const auto& clock = table_[i].range(Sensor::kClock)) clocks[ranks[i]->device_name].push_back(clock->mean);
    for (auto& [name, values] : clocks) std::sort(values.begin(), values.end());
    for (size_t i = 0; i < ranks.size(); ++i) {
      const auto& clock = table_[i].range(Sensor::kClock);
      if (!clock) continue;
      const std::vector<double>& values = clocks[ranks[i]->device_name];
      if (values.size() < 2) continue;
      // The upper median of the others.
      const size_t position =
          static_cast<size_t>(std::lower_bound(values.begin(), values.end(), clock->mean) - values.begin());
      const size_t middle = (values.size() - 1) / 2;
      const double typical = values[middle < position ? middle : middle + 1];
      if (typical > 0) table_[i].clock_of_peers = clock->mean / typical;
    }
  }

  void find_followed() {
    struct Test {
      size_t rank;
      FollowedSensor sensor;
    };
    std::vector<Test> tests;
    std::vector<double> chances;
    for (size_t rank = 0; rank < table_.size(); ++rank)
      for (size_t sensor = 0; sensor < kSensorCount; ++sensor) {
        const std::optional<SensorRange>& range = table_[rank].ranges[sensor];
        if (!range || range->most - range->least < kSteadySensor * range->mean) continue;
        const std::optional<double> correlation = correlation_of(series_[rank][sensor]);
        const std::optional<double> chance =
            correlation ? chance_of(*correlation, series_[rank][sensor]) : std::nullopt;
        if (!chance) continue;
        tests.push_back({rank, {static_cast<Sensor>(sensor), *correlation, 1}});
        chances.push_back(*chance);
      }
    const std::vector<double> adjusted = adjusted_for_many(chances);
    for (size_t i = 0; i < tests.size(); ++i) {
      tests[i].sensor.p_adjusted = adjusted[i];
      if (adjusted[i] <= 1 - kConfidence) table_[tests[i].rank].followed.push_back(tests[i].sensor);
    }
  }

  const StepSelection& steps_;
  std::vector<TelemetryOfRank> table_;  // one for each rank
  std::vector<SeriesOfRank> series_;    // the same
};

}  // namespace

std::vector<TelemetryOfRank> telemetry_table(const std::vector<const RankTimeline*>& ranks,
                                             const StepSelection& steps) {
  return TelemetryTable(ranks, steps).take();
}

}  // namespace tauprof
