#include "metrics/stragglers/step_telemetry.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace tauprof {
namespace {

struct Reading {
  Nanoseconds time;
  double value;
};

using Readings = std::vector<Reading>;

// `device`: -1 for the host.
Readings readings_of(const ProcessTrace& trace, std::string_view metric, int32_t device) {
  Readings readings;
  for (const TelemetryReading& reading : trace.telemetry)
    if (reading.device == device && trace.names[reading.metric] == metric)
      readings.push_back({reading.time, static_cast<double>(reading.value)});
  std::sort(readings.begin(), readings.end(), [](const Reading& a, const Reading& b) { return a.time < b.time; });
  return readings;
}

Readings::const_iterator first_from(const Readings& readings, Nanoseconds time) {
  return std::lower_bound(readings.begin(), readings.end(), time,
                          [](const Reading& reading, Nanoseconds at) { return reading.time < at; });
}

// The sum of the first n readings, for each n. Windows of steps may overlap, so each may hold all readings.
std::vector<double> sums_of(const Readings& readings) {
  std::vector<double> sums{0};
  for (const Reading& reading : readings) sums.push_back(sums.back() + reading.value);
  return sums;
}

// A sensor's mean reading.
class Level {
 public:
  explicit Level(Readings readings) : readings_(std::move(readings)), sums_(sums_of(readings_)) {}

  std::optional<double> mean_or_nearest(Interval time) const {
    if (readings_.empty()) return std::nullopt;
    const auto begin = first_from(readings_, time.start), end = first_from(readings_, time.end);
    if (begin != end)
      return (sums_[end - readings_.begin()] - sums_[begin - readings_.begin()]) / static_cast<double>(end - begin);
    if (begin == readings_.begin()) return begin->value;
    if (begin == readings_.end()) return readings_.back().value;
    return begin->time - time.end < time.start - (begin - 1)->time ? begin->value : (begin - 1)->value;
  }

 private:
  Readings readings_;
  std::vector<double> sums_;
};

// The bits of any stretch of readings: a tree of unions.
class ReadBits {
 public:
  explicit ReadBits(const Readings& readings) : readings_(readings), tree_(2 * readings.size()) {
    for (size_t i = 0; i < readings.size(); ++i)  // no sensor has negative bits; a damaged log may
      tree_[readings.size() + i] = static_cast<uint64_t>(std::max(readings[i].value, 0.0));
    for (size_t i = readings.size(); i-- > 1;) tree_[i] = tree_[2 * i] | tree_[2 * i + 1];
  }
  uint64_t in(Interval time) const {
    uint64_t bits = 0;
    auto first = static_cast<size_t>(first_from(readings_, time.start) - readings_.begin()) + readings_.size();
    auto end = static_cast<size_t>(first_from(readings_, time.end) - readings_.begin()) + readings_.size();
    for (; first < end; first /= 2, end /= 2) {
      if (first % 2 == 1) bits |= tree_[first++];
      if (end % 2 == 1) bits |= tree_[--end];
    }
    return bits;
  }

 private:
  const Readings& readings_;
  std::vector<uint64_t> tree_;
};

// Interpolates between two readings; before the first and after the last, returns that reading.
double sum_at(const Readings& readings, Nanoseconds time) {
  const auto next = first_from(readings, time);
  if (next == readings.begin()) return next->value;
  if (next == readings.end()) return readings.back().value;
  const Reading &before = *(next - 1), &after = *next;
  const double share = static_cast<double>(time - before.time) / static_cast<double>(after.time - before.time);
  return before.value + share * (after.value - before.value);
}

}  // namespace

void add_step_telemetry(const ProcessTrace& trace, const DeviceTrace& device, std::vector<RankStep>& steps) {
  const Level clock(readings_of(trace, "sm_clock_mhz", device.device));
  const Level power(readings_of(trace, "power_mw", device.device));
  const Level temperature(readings_of(trace, "temperature_c", device.device));
  const Readings reasons = readings_of(trace, "throttle_reasons", device.device);
  const Readings waits = readings_of(trace, "cpu_wait_ns", -1);
  const ReadBits bits(reasons);
  for (RankStep& step : steps) {
    const Interval window = step.device.value_or(step.host);
    const Interval time{std::min(step.host.start, window.start), window.end};
    step.health.sm_clock_mhz = clock.mean_or_nearest(time);
    step.health.power_w = power.mean_or_nearest(time);
    if (step.health.power_w) *step.health.power_w /= 1e3;
    step.health.temperature_c = temperature.mean_or_nearest(time);
    step.health.throttle_reasons = bits.in(time);
    if (waits.size() > 1) step.health.cpu_wait = std::llround(sum_at(waits, time.end) - sum_at(waits, time.start));
  }
}

}  // namespace tauprof
