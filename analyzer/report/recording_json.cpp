#include "report/recording_json.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "limits/analysis_limits.h"
#include "report/value_names.h"

namespace tauprof {
namespace {

double drift_ppm(double drift) { return drift == 0 ? 0 : -1e6 * drift; }  // no negative zero

// How far the rank's clock is ahead of the run's clock, and how fast it gains on it.
Json clock_segment(const ClockSegment& segment) {
  const ClockSegment::Limits limits = segment.limits.value_or(ClockSegment::Limits{segment.shift, segment.drift, 0});
  return {{"start_ns", segment.time.start},
          {"end_ns", segment.time.end},
          {"offset_ns", -limits.shift},
          {"drift_ppm", drift_ppm(limits.drift)},
          {"bound_ns", segment.limits ? Json(limits.bound) : Json(nullptr)},
          {"used_offset_ns", -segment.shift},
          {"used_drift_ppm", drift_ppm(segment.drift)}};
}

Json cost_json(const RecorderCost& of) {
  if (!of.is_known) return nullptr;
  Json missing = Json::array();
  if (!of.has_parts) missing = {"events", "cupti", "stacks", "end"};
  if (!of.is_without_cupti) missing.push_back("inside_cupti");
  return {{"start_and_calls_ns", of.start_and_calls},         {"events_ns", time_or_null(of.events, of.has_parts)},
          {"cupti_ns", time_or_null(of.cupti, of.has_parts)}, {"stacks_ns", time_or_null(of.stacks, of.has_parts)},
          {"end_ns", time_or_null(of.end, of.has_parts)},     {"not_included", missing}};
}

// "true", "4" and "AdamW" as what they mean.
Json setting_json(const std::string& value) {
  if (value == "true" || value == "false") return value == "true";
  int64_t number = 0;
  const char* const end = value.data() + value.size();
  const auto [rest, error] = std::from_chars(value.data(), end, number);
  return error == std::errc() && rest == end ? Json(number) : Json(valid_utf8(value));
}

// Where ranks differ: the least and the greatest number, or each value with its ranks.
Json setting_json(const std::map<std::string, std::vector<int32_t>>& values) {
  if (values.size() == 1) return setting_json(values.begin()->first);
  Json of_value = Json::array(), numbers = Json::array();
  for (const auto& [value, ranks] : values) {
    const Json one = setting_json(value);
    if (one.is_number()) numbers.push_back(one);
    of_value.push_back({{"value", one}, {"ranks", ranks}});
  }
  if (numbers.size() < of_value.size()) return {{"by_rank", of_value}};
  const auto [least, greatest] = std::minmax_element(numbers.begin(), numbers.end());
  return {{"min", *least}, {"max", *greatest}};
}

}  // namespace

Json settings_json(const RunFacts& facts) {
  if (facts.settings.empty()) return nullptr;
  Json settings = Json::object();
  for (const auto& [name, values] : facts.settings)
    if (const size_t dot = name.find('.'); dot != name.npos)
      settings[valid_utf8(name.substr(0, dot))][valid_utf8(name.substr(dot + 1))] = setting_json(values);
  return settings;
}

Json run_json(const RunFacts& facts) {
  Json hosts = Json::array(), devices = Json::array(), versions = Json::object();
  for (const std::string& host : facts.hosts) hosts.push_back(valid_utf8(host));
  for (const std::string& device : facts.devices) devices.push_back(valid_utf8(device));
  for (const auto& [name, version] : facts.versions) versions[valid_utf8(name)] = valid_utf8(version);
  return {{"id", text_or_null(facts.id)},
          {"ranks", facts.ranks},
          {"world_size", facts.world_size > 0 ? Json(facts.world_size) : Json(nullptr)},
          {"missing_ranks", facts.missing_ranks},
          {"hosts", facts.hosts.size()},
          {"host_names", hosts},
          {"devices", devices},
          {"device_count", facts.device_count},
          {"started", facts.started_realtime_ns != 0 ? Json(iso_time(facts.started_realtime_ns)) : Json(nullptr)},
          {"source", facts.source},
          {"command", text_or_null(facts.command)},
          {"versions", versions}};
}

Json quality_json(const RunFacts& facts, const RunMetrics& metrics) {
  Json unclassified = Json::array(), gaps = Json::array();
  for (const KernelMetrics& kernel : metrics.kernels)
    if (kernel.span_class == SpanClass::kUnclassified)
      unclassified.push_back({{"name", valid_utf8(kernel.name)}, {"count", kernel.count}, {"ns", kernel.total}});
  for (const RankGap& gap : facts.gaps) {
    if (gaps.size() == kMostGaps) break;
    gaps.push_back({{"rank", gap.rank},
                    {"start_ns", gap.gap.time.start},
                    {"duration_ns", gap.gap.time.length()},
                    {"scope", gap.gap.scope},
                    {"reason", valid_utf8(gap.gap.reason)}});
  }
  Json dropped = Json::object(), untimed = Json::array();
  for (const auto& [reason, ranks] : facts.untimed_ranks)
    untimed.push_back({{"ranks", ranks}, {"reason", valid_utf8(reason)}});
  for (const auto& [reason, count] : facts.dropped) dropped[valid_utf8(reason)] = count;
  const size_t listed = gaps.size();
  Json quality = {{"events", facts.events},
                  {"dropped", facts.dropped_total()},
                  {"dropped_by_reason", dropped},
                  {"files",
                   {{"read", facts.files_read},
                    {"damaged", facts.files_damaged},
                    {"skipped", facts.files_skipped},
                    {"cut_short", facts.files_cut_short}}},
                  {"bytes", facts.bytes},
                  {"lost_records", facts.lost_records},
                  {"lost_bytes", facts.lost_bytes},
                  {"unmatched_spans", facts.unmatched_spans},
                  {"unclassified_kernels", unclassified},
                  {"clamped_latencies", facts.clamped_latencies},
                  {"profiler_ns_on_app_threads", time_or_null(facts.cost.total(), facts.cost.is_known)},
                  {"profiler_cost", cost_json(facts.cost)},
                  {"steps_outside", metrics.steps.outside},
                  {"collectives",
                   {{"split", metrics.waits.split},
                    {"by_length", metrics.waits.by_length},
                    {"incomplete", metrics.waits.incomplete},
                    {"contradicting", metrics.waits.contradicting},
                    {"not_together", metrics.waits.not_together},
                    {"in_graphs", metrics.collectives_in_graphs},
                    {"clocks_agree", metrics.waits.clocks_agree}}},
                  {"clocks", {{"events", metrics.alignment.events}, {"contradicting", metrics.alignment.dropped}}},
                  {"no_device_times", std::move(untimed)},
                  {"gaps", std::move(gaps)}};
  if (const WaitQuality& waits = metrics.waits; waits.by_nccl > 0)
    quality["nccl_split"] = {{"collectives", waits.by_nccl},
                             {"compared_waits", waits.compared_waits},
                             {"mean_difference_ns", time_or_null(waits.mean_difference(), waits.compared_waits > 0)},
                             {"most_difference_ns", time_or_null(waits.most_difference, waits.compared_waits > 0)}};
  for (const auto& [what, doubt] : facts.not_believed)
    quality["not_believed"].push_back({{"what", what}, {"first", doubt.value}, {"rows", doubt.count}});
  if (facts.gaps.size() > listed) quality["gaps_left_out"] = facts.gaps.size() - listed;
  return quality;
}

Json clock_json(const RunMetrics& metrics) {
  Json result = Json::array();
  for (size_t i = 0; i < metrics.clocks.size(); ++i) {
    const RankClock& rank = metrics.clocks[i];
    const DeviceOffset& device = metrics.alignment.devices[i];
    Json segments = Json::array();
    for (const ClockSegment& segment : rank.map.segments()) segments.push_back(clock_segment(segment));
    Json row = {{"rank", rank.rank}, {"basis", name_of(rank.basis)}};
    row.update(clock_segment(rank.map.segments().front()));
    row["bound_ns"] = or_null(rank.map.bound());
    row["device_offset_ns"] = device.limits ? Json(-device.limits->middle) : Json(nullptr);
    row["device_bound_ns"] = device.limits ? Json(device.limits->bound) : Json(nullptr);
    row["used_device_offset_ns"] = -device.used;
    row["segments"] = segments;
    result.push_back(std::move(row));
  }
  return result;
}

}  // namespace tauprof
