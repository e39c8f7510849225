#include "report/telemetry_json.h"

#include "metrics/stragglers/throttle_reasons.h"
#include "report/value_names.h"

namespace tauprof {
namespace {

Json sensor_json(const std::optional<SensorRange>& range) {
  if (!range) return nullptr;
  return {{"mean", range->mean}, {"min", range->least}, {"max", range->most}};
}

Json throttled_json(const TelemetryOfRank& of) {
  if (!of.has_device()) return nullptr;
  Json steps = Json::object();
  for (const auto& [bit, count] : of.throttled_steps)
    for (const std::string_view name : throttle_reason_names(bit)) steps[std::string(name)] = count;
  return steps;
}

Json rank_telemetry_json(const TelemetryOfRank& of) {
  Json followed = Json::array();
  for (const FollowedSensor& sensor : of.followed)
    followed.push_back({{"sensor", kSensorNames[static_cast<size_t>(sensor.sensor)]},
                        {"correlation", sensor.correlation},
                        {"p_adjusted", sensor.p_adjusted}});
  return {
      {"rank", of.rank},
      {"steps", of.steps},
      {"sm_clock_mhz", sensor_json(of.range(Sensor::kClock))},
      {"clock_of_peers", or_null(of.clock_of_peers)},
      {"power_w", sensor_json(of.range(Sensor::kPower))},
      {"temperature_c", sensor_json(of.range(Sensor::kTemperature))},
      {"throttled_steps", throttled_json(of)},
      {"cpu_wait_ns_per_step", of.cpu_wait_ns_per_step ? nanoseconds_json(*of.cpu_wait_ns_per_step) : Json(nullptr)},
      {"followed", followed}};
}

}  // namespace

Json telemetry_json(const RunMetrics& metrics) {
  if (metrics.telemetry.empty()) return nullptr;
  Json ranks = Json::array();
  for (const TelemetryOfRank& of : metrics.telemetry) ranks.push_back(rank_telemetry_json(of));
  return {{"ranks", ranks}};
}

}  // namespace tauprof
