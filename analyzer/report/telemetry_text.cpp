#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "metrics/stragglers/throttle_reasons.h"
#include "report/section_lengths.h"
#include "report/text_lines.h"
#include "report/text_sections.h"
#include "report/text_table.h"
#include "report/value_names.h"

namespace tauprof {
namespace {

// "1980", or "1400 to 1980" where it moved.
std::string range_text(const std::optional<SensorRange>& range) {
  if (!range) return "-";
  if (range->most - range->least < 0.5) return fmt::format("{:.0f}", range->mean);
  return fmt::format("{:.0f} to {:.0f}", range->least, range->most);
}

std::string mean_text(const std::optional<SensorRange>& range) {
  return range ? fmt::format("{:.0f}", range->mean) : "-";
}

std::vector<std::string> cells_of(const TelemetryOfRank& telemetry) {
  return {std::to_string(telemetry.rank),
          mean_text(telemetry.range(Sensor::kClock)),
          range_text(telemetry.range(Sensor::kClock)),
          telemetry.clock_of_peers ? fmt::format("{:.1f} %", 100 * *telemetry.clock_of_peers) : "-",
          mean_text(telemetry.range(Sensor::kPower)),
          range_text(telemetry.range(Sensor::kPower)),
          mean_text(telemetry.range(Sensor::kTemperature)),
          range_text(telemetry.range(Sensor::kTemperature)),
          telemetry.cpu_wait_ns_per_step ? duration_text(*telemetry.cpu_wait_ns_per_step) : "-"};
}

// "sw_power_cap in 12 of 20 steps".
std::string throttled_text(const TelemetryOfRank& telemetry, std::string_view unit) {
  std::string text;
  for (const auto& [bit, count] : telemetry.throttled_steps)
    for (const std::string_view name : throttle_reason_names(bit))
      text += fmt::format("{}{} in {} of {} {}s", text.empty() ? "" : ", ", name, count, telemetry.steps, unit);
  return text;
}

std::string followed_text(const FollowedSensor& followed, std::string_view unit) {
  constexpr std::array<std::string_view, kSensorCount> kUp = {"its clock is higher", "it draws more power",
                                                              "it is hotter", "it is slowed down"};
  constexpr std::array<std::string_view, kSensorCount> kDown = {"its clock is lower", "it draws less power",
                                                                "it is cooler", "it is not slowed down"};
  const auto sensor = static_cast<size_t>(followed.sensor);
  return fmt::format("{}s take longer when {} (r = {:.2f}, p = {:.1g})", unit,
                     followed.correlation > 0 ? kUp[sensor] : kDown[sensor], followed.correlation, followed.p_adjusted);
}

}  // namespace

std::string telemetry_text(const Report& report, size_t width) {
  const std::vector<TelemetryOfRank>& table = report.metrics.devices.telemetry;
  if (table.empty()) return {};
  TextTable ranks({{"rank"},
                   {"SM MHz"},
                   {"range", false, 3},
                   {"of peers"},
                   {"W"},
                   {"range", false, 1},
                   {"deg C"},
                   {"range", false, 2},
                   {"CPU wait"}});
  for (size_t i = 0; i < std::min(table.size(), kMostRankLines); ++i) ranks.row(cells_of(table[i]));
  TextLines lines;
  lines.left_out(table.size(), kMostRankLines);
  size_t said = 0;
  for (const TelemetryOfRank& telemetry : table) {
    if (const std::string text = throttled_text(telemetry, report.unit()); !text.empty() && ++said <= kMostTableLines)
      lines.line("  rank {}: {}", telemetry.rank, text);
    for (const FollowedSensor& sensor : telemetry.followed)
      if (++said <= kMostTableLines) lines.line("  rank {}: {}", telemetry.rank, followed_text(sensor, report.unit()));
  }
  lines.left_out(said, kMostTableLines);
  return fmt::format("\nTELEMETRY   (means of the {}s, and their range)\n", report.unit()) + ranks.text(width) +
         lines.take();
}

}  // namespace tauprof
