#include "metrics/stragglers/throttle_reasons.h"
#include "report/json_sections.h"

namespace tauprof {

Fields<SensorRange> fields_of(const SensorRange*) {
  return {"SensorRange",
          "Over the analysed steps, of each one's mean",
          {
              {"mean", &SensorRange::mean, "of all"},
              {"min", &SensorRange::least, "the least"},
              {"max", &SensorRange::most, "the most"},
          }};
}

Fields<FollowedSensor> fields_of(const FollowedSensor*) {
  return {"FollowedSensor",
          "A sensor that the durations of the job's steps follow by more than chance",
          {
              {"sensor", &FollowedSensor::sensor,
               "which one; `slowed`: 1 in steps with a reason that slows the device down, else 0"},
              {"correlation", &FollowedSensor::correlation, "Pearson's, with the durations"},
              {"p_adjusted", &FollowedSensor::p_adjusted, "that it is chance, adjusted for all tests of the run"},
          }};
}

namespace {

std::optional<Named<size_t>> throttled_steps(const TelemetryOfRank& telemetry) {
  if (!telemetry.has_device()) return std::nullopt;
  Named<size_t> steps;
  for (const auto& [bit, count] : telemetry.throttled_steps)
    for (const std::string_view name : throttle_reason_names(bit)) steps.emplace_back(name, count);
  return steps;
}

}  // namespace

Fields<TelemetryOfRank> fields_of(const TelemetryOfRank*) {
  return {
      "RankTelemetry",
      "What the sensors of a rank's device and host said",
      {
          {"rank", &TelemetryOfRank::rank, "its number"},
          {"steps", &TelemetryOfRank::steps, "analysed, with readings of its device"},
          {"sm_clock_mhz", [](const TelemetryOfRank& t) { return t.range(Sensor::kClock); },
           "clock of the multiprocessors"},
          {"clock_of_peers", &TelemetryOfRank::clock_of_peers,
           "its mean over the median of the other ranks with the same device"},
          {"power_w", [](const TelemetryOfRank& t) { return t.range(Sensor::kPower); }, "power"},
          {"temperature_c", [](const TelemetryOfRank& t) { return t.range(Sensor::kTemperature); }, "temperature"},
          {"throttled_steps", throttled_steps, "in how many steps NVML named a reason for a lower clock, by reason"},
          {"cpu_wait_ns_per_step", rounded(&TelemetryOfRank::cpu_wait_ns_per_step),
           "how long the launching threads were ready to run and had no CPU"},
          {"followed", &TelemetryOfRank::followed, "sensors that the job's steps follow"},
      }};
}

Fields<TelemetryOfRun> fields_of(const TelemetryOfRun*) {
  return {"Telemetry",
          "Clocks, power, temperature and throttling",
          {
              {"ranks", [](const TelemetryOfRun& t) { return t.ranks; }, "each rank of which anything was recorded"},
          }};
}

}  // namespace tauprof
