#include "report/json_report.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "report/input_json.h"
#include "report/progress_json.h"
#include "report/value_names.h"

namespace tauprof {
namespace {

using Json = nlohmann::ordered_json;

Json nanoseconds(double value) { return static_cast<int64_t>(std::llround(value)); }

template <class T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json text_or_null(const std::string& text) { return text.empty() ? Json(nullptr) : Json(valid_utf8(text)); }

Json statistics(const Statistics& of) { return statistics_json(of); }

Json rows(const LedgerRows& of) {
  Json result = Json::object();
  for (size_t row = 0; row < kLedgerRowCount; ++row) result[std::string(kLedgerRowNames[row])] = of[row];
  return result;
}

// Of each idle row, how much was recorded and how much inferred.
Json evidence(const LedgerRows& of, const LedgerRows& inferred) {
  Json result = Json::object();
  for (auto row = static_cast<size_t>(LedgerRow::kIdleDependency); row < kLedgerRowCount; ++row)
    result[std::string(kLedgerRowNames[row])] = {{"recorded", of[row] - inferred[row]}, {"inferred", inferred[row]}};
  return result;
}

Json ledger(const Ledger& of, const LedgerRows& inferred, Nanoseconds step_ns) {
  Json by_phase = Json::object();
  for (size_t phase = 0; phase < kPhaseCount; ++phase)
    by_phase[std::string(kPhaseNames[phase])] = rows(of.cells[phase]);
  return {{"rows", rows(of.rows())},
          {"by_phase", by_phase},
          {"evidence", evidence(of.rows(), inferred)},
          {"sum_ns", of.sum()},
          {"step_ns", step_ns}};
}

Json overlap(const Overlap& of) {
  return {{"overlap_fraction", or_null(of.fraction())},
          {"overlap_efficiency", or_null(of.efficiency())},
          {"overlap_efficiency_step", or_null(of.efficiency_step())},
          {"comm_ns", of.comm},
          {"compute_ns", of.compute},
          {"hidden_comm_ns", of.hidden_comm()},
          {"exposed_comm_ns", of.exposed_comm()}};
}

Json run(const RunFacts& facts) {
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
          {"started", facts.started_realtime_ns != 0 ? Json(iso_time(facts.started_realtime_ns)) : Json(nullptr)},
          {"source", facts.source},
          {"command", text_or_null(facts.command)},
          {"versions", versions}};
}

Json quality(const RunFacts& facts, const RunMetrics& metrics) {
  Json unclassified = Json::array(), gaps = Json::array();
  for (const KernelMetrics& kernel : metrics.kernels)
    if (kernel.span_class == SpanClass::kUnclassified)
      unclassified.push_back({{"name", valid_utf8(kernel.name)}, {"count", kernel.count}, {"ns", kernel.total}});
  for (const RankGap& gap : facts.gaps)
    gaps.push_back({{"rank", gap.rank},
                    {"start_ns", gap.gap.time.start},
                    {"duration_ns", gap.gap.time.length()},
                    {"scope", gap.gap.scope},
                    {"reason", valid_utf8(gap.gap.reason)}});
  Json dropped = Json::object();
  for (const auto& [reason, count] : facts.dropped) dropped[valid_utf8(reason)] = count;
  return {{"events", facts.events},
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
          {"profiler_ns_on_app_threads", facts.profiler_ns},
          {"steps_outside", metrics.steps.outside},
          {"collectives",
           {{"split", metrics.waits.split},
            {"incomplete", metrics.waits.incomplete},
            {"contradicting", metrics.waits.contradicting},
            {"not_together", metrics.waits.not_together},
            {"clocks_agree", metrics.waits.clocks_agree}}},
          {"clocks", {{"events", metrics.alignment.events}, {"contradicting", metrics.alignment.dropped}}},
          {"gaps", gaps}};
}

Json steps(const Report& report) {
  const RunMetrics& metrics = report.metrics;
  Json list = Json::array();
  for (const StepDuration& step : metrics.steps.analysed)
    list.push_back({{"step", step.number}, {"duration_ns", nanoseconds(step.mean_ns)}});
  return {{"count", metrics.steps.analysed.size()},
          {"warmup", metrics.steps.warmup},
          {"detected_by", valid_utf8(report.facts.steps_source)},
          {"confidence", report.facts.steps_confidence},
          {"reason", valid_utf8(report.facts.steps_reason)},
          {"duration_ns", statistics(metrics.step_duration)},
          {"samples_per_s", or_null(report.per_second(report.batch))},
          {"tokens_per_s", or_null(report.per_second(report.tokens))},
          {"list", list}};
}

Json phases(const RunMetrics& metrics) {
  Json result = Json::array();
  for (const PhaseMetrics& phase : metrics.phases)
    result.push_back({{"name", phase.name},
                      {"derived", phase.is_derived},
                      {"host_ns", statistics(phase.host)},
                      {"device_ns", statistics(phase.device)},
                      {"host_of_ranks_ns", statistics(phase.host_of_ranks)},
                      {"device_of_ranks_ns", statistics(phase.device_of_ranks)},
                      {"host_share", phase.host_share},
                      {"device_share", phase.device_share}});
  return result;
}

Json collectives(const RunMetrics& metrics) {
  Json result = Json::array();
  for (const CollectiveMetrics& line : metrics.collectives)
    result.push_back(
        {{"comm", valid_utf8(line.communicator)},
         {"op", name_of(line.operation)},
         {"dtype", line.datatype == log::DataType::kUnknown ? Json(nullptr) : Json(name_of(line.datatype))},
         {"ranks", line.ranks},
         {"size_bytes", or_null(line.size_bytes)},
         {"count", line.count},
         {"algbw_gb_per_s", or_null(line.algbw_gb_per_s)},
         {"busbw_gb_per_s", or_null(line.busbw_gb_per_s)},
         {"busbw_transfer_gb_per_s", or_null(line.busbw_transfer_gb_per_s)},
         {"wait_ns", or_null(line.wait_ns)},
         {"wait_is_upper_bound", line.wait_is_upper_bound},
         {"wait_within_clock_bound", line.wait_within_clock_bound},
         {"transfer_ns", or_null(line.transfer_ns)},
         {"skew_ns", or_null(line.skew_ns)},
         {"imbalance", or_null(line.imbalance)},
         {"exposed_ns", line.exposed_ns}});
  return result;
}

Json stragglers(const StragglerReport& report) {
  Json found = Json::array(), ranks = Json::array();
  for (const Straggler& straggler : report.found) {
    Json causes = Json::object();
    for (size_t cause = 0; cause < kCauseCount; ++cause)
      if (straggler.by_cause[cause] > 0)
        causes[std::string(kCauseNames[cause])] = nanoseconds(straggler.by_cause[cause]);
    found.push_back({{"rank", straggler.rank},
                     {"score", straggler.score},
                     {"slowdown", or_null(straggler.slowdown)},
                     {"blamed_ns", nanoseconds(straggler.blamed_ns)},
                     {"last_share", straggler.last_share},
                     {"lateness_ns", nanoseconds(straggler.lateness_ns)},
                     {"cause", kCauseNames[static_cast<size_t>(straggler.cause)]},
                     {"blamed_ns_by_cause", causes},
                     {"cost_ns_per_step", nanoseconds(straggler.cost_ns_per_step)},
                     {"gpu_hours", straggler.gpu_hours},
                     {"steps", straggler.steps},
                     {"persistent", straggler.is_persistent},
                     {"within_clock_bound", straggler.is_within_clock_bound}});
  }
  for (const RankBlame& rank : report.ranks) {
    const bool known = rank.collectives > 0;
    ranks.push_back({{"rank", rank.rank},
                     {"blamed_ns", nanoseconds(rank.blamed_ns())},
                     {"last_share", known ? Json(rank.last_share) : Json(nullptr)},
                     {"lateness_mean_ns", known ? nanoseconds(rank.lateness_mean_ns) : Json(nullptr)},
                     {"lateness_p95_ns", known ? nanoseconds(rank.lateness_p95_ns) : Json(nullptr)},
                     {"work_ns", rank.has_work ? nanoseconds(rank.work_ns) : Json(nullptr)}});
  }
  return {{"found", found},
          {"pattern", kPatternNames[static_cast<size_t>(report.pattern)]},
          {"unblamed_ns", nanoseconds(report.unblamed_ns)},
          {"rules",
           {{"mean_over_1_1", report.has_work ? Json(report.mean_over_1_1) : Json(nullptr)},
            {"z_over_2", report.has_z ? Json(report.z_over_2) : Json(nullptr)}}},
          {"ranks", ranks}};
}

double drift_ppm(double drift) { return drift == 0 ? 0 : -1e6 * drift; }  // no negative zero

// What the rank's clock is ahead of the run's, and gains on it.
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

Json kernels(const RunMetrics& metrics) {
  Json result = Json::array();
  for (const KernelMetrics& kernel : metrics.kernels) {
    const double share =
        metrics.kernel_total > 0 ? static_cast<double>(kernel.total) / static_cast<double>(metrics.kernel_total) : 0;
    result.push_back({{"name", valid_utf8(kernel.name)},
                      {"class", name_of(kernel.span_class)},
                      {"count", kernel.count},
                      {"total_ns", kernel.total},
                      {"mean_ns", nanoseconds(static_cast<double>(kernel.total) / static_cast<double>(kernel.count))},
                      {"share", share}});
  }
  return result;
}

Json slow_calls(const RunMetrics& metrics) {
  Json result = Json::array();
  for (const PlaceMetrics& place : metrics.places) {
    if (place.count == 0) continue;
    Json charged = Json::object();
    for (size_t row = 0; row < kLedgerRowCount; ++row)
      if (place.charged[row] != 0) charged[std::string(kLedgerRowNames[row])] = place.charged[row];
    result.push_back({{"where", valid_utf8(place.where)},
                      {"call", text_or_null(place.call)},
                      {"count", place.count},
                      {"total_ns", place.total},
                      {"mean_ns", nanoseconds(static_cast<double>(place.total) / static_cast<double>(place.count))},
                      {"device_ns", charged},
                      {"ranks", place.ranks}});
  }
  return result;
}

Json hta(const HtaBreakdown& of) {
  if (!of.is_defined) return nullptr;
  return {{"kernel_time_us", of.kernel_time_us},
          {"idle_time_us", of.idle_time_us},
          {"compute_time_us", of.compute_time_us},
          {"non_compute_time_us", of.non_compute_time_us},
          {"comp_comm_overlap_pctg", of.has_overlap ? Json(of.overlap_percent) : Json(nullptr)}};
}

Json clock(const RunMetrics& metrics) {
  Json result = Json::array();
  for (const RankClock& rank : metrics.clocks) {
    Json segments = Json::array();
    for (const ClockSegment& segment : rank.map.segments()) segments.push_back(clock_segment(segment));
    Json row = {{"rank", rank.rank}, {"basis", name_of(rank.basis)}};
    row.update(clock_segment(rank.map.segments().front()));
    row["bound_ns"] = or_null(rank.map.bound());
    row["segments"] = segments;
    result.push_back(std::move(row));
  }
  return result;
}

Json per_rank(const RunMetrics& metrics) {
  Json result = Json::array();
  for (const RankMetrics& rank : metrics.ranks)
    result.push_back({{"rank", rank.rank},
                      {"host", text_or_null(rank.host)},
                      {"step_ns", rank.step_ns},
                      {"ledger", rows(rank.ledger.rows())},
                      {"overlap", overlap(rank.overlap)},
                      {"hta", hta(rank.hta)}});
  return result;
}

Json findings(const std::vector<Finding>& found) {
  Json result = Json::array();
  for (const Finding& finding : found)
    result.push_back(
        {{"id", finding.id},
         {"severity", name_of(finding.severity)},
         {"title", finding.title},
         {"evidence", finding.evidence},
         {"ranks", finding.ranks},
         {"steps", finding.steps},
         {"saves_ns_per_step", finding.saves_ns_per_step > 0 ? nanoseconds(finding.saves_ns_per_step) : Json(nullptr)},
         {"advice", finding.advice},
         {"where", text_or_null(finding.where)}});
  return result;
}

}  // namespace

std::string json_report(const Report& report) {
  Nanoseconds step_ns = 0;
  for (const RankMetrics& rank : report.metrics.ranks) step_ns += rank.step_ns;
  const Json json = {{"schema", "tauprof.report/1"},
                     {"run", run(report.facts)},
                     {"quality", quality(report.facts, report.metrics)},
                     {"steps", steps(report)},
                     {"phases", phases(report.metrics)},
                     {"input", input_json(report)},
                     {"ledger", ledger(report.metrics.ledger, report.metrics.inferred, step_ns)},
                     {"overlap", overlap(report.metrics.overlap)},
                     {"collectives", collectives(report.metrics)},
                     {"stragglers", stragglers(report.metrics.stragglers)},
                     {"kernels", kernels(report.metrics)},
                     {"slow_calls", slow_calls(report.metrics)},
                     {"clock", clock(report.metrics)},
                     {"progress", progress_json(report.metrics.progress)},
                     {"mismatches", mismatches_json(report.metrics.mismatches)},
                     {"per_rank", per_rank(report.metrics)},
                     {"findings", findings(report.findings)}};
  return json.dump(1) + "\n";
}

}  // namespace tauprof
