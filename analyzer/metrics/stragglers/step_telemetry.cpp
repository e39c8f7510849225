#include "metrics/stragglers/step_telemetry.h"

#include <algorithm>
#include <cmath>

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

std::optional<double> mean_or_nearest(const Readings& readings, Interval time) {
  if (readings.empty()) return std::nullopt;
  const auto begin = first_from(readings, time.start), end = first_from(readings, time.end);
  double sum = 0;
  for (auto reading = begin; reading != end; ++reading) sum += reading->value;
  if (begin != end) return sum / static_cast<double>(end - begin);
  if (begin == readings.begin()) return begin->value;
  if (begin == readings.end()) return readings.back().value;
  return begin->time - time.end < time.start - (begin - 1)->time ? begin->value : (begin - 1)->value;
}

uint64_t bits_in(const Readings& readings, Interval time) {
  uint64_t bits = 0;
  for (auto reading = first_from(readings, time.start); reading != readings.end() && reading->time < time.end;
       ++reading)
    bits |= static_cast<uint64_t>(reading->value);
  return bits;
}

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
  const Readings clocks = readings_of(trace, "sm_clock_mhz", device.device);
  const Readings reasons = readings_of(trace, "throttle_reasons", device.device);
  const Readings waits = readings_of(trace, "cpu_wait_ns", -1);
  for (RankStep& step : steps) {
    const Interval time{std::min(step.host.start, step.device.start), step.device.end};
    step.health.sm_clock_mhz = mean_or_nearest(clocks, time);
    step.health.throttle_reasons = bits_in(reasons, time);
    if (waits.size() > 1) step.health.cpu_wait = std::llround(sum_at(waits, time.end) - sum_at(waits, time.start));
  }
}

}  // namespace tauprof
