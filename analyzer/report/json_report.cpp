#include "report/json_report.h"

#include <cmath>
#include <nlohmann/json.hpp>

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

Json statistics(const Statistics& of) {
  if (of.count == 0) return nullptr;
  return {{"mean", nanoseconds(of.mean)}, {"median", nanoseconds(of.median)}, {"p95", nanoseconds(of.p95)},
          {"min", nanoseconds(of.min)},   {"max", nanoseconds(of.max)},       {"stddev", nanoseconds(of.stddev)}};
}

Json rows(const LedgerRows& of) {
  Json result = Json::object();
  for (size_t row = 0; row < kLedgerRowCount; ++row) result[std::string(kLedgerRowNames[row])] = of[row];
  return result;
}

Json ledger(const Ledger& of, Nanoseconds step_ns) {
  Json by_phase = Json::object();
  for (size_t phase = 0; phase < kPhaseCount; ++phase)
    by_phase[std::string(kPhaseNames[phase])] = rows(of.cells[phase]);
  return {{"rows", rows(of.rows())}, {"by_phase", by_phase}, {"sum_ns", of.sum()}, {"step_ns", step_ns}};
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
  Json hosts = Json::array(), devices = Json::array();
  for (const std::string& host : facts.hosts) hosts.push_back(valid_utf8(host));
  for (const std::string& device : facts.devices) devices.push_back(valid_utf8(device));
  return {{"id", text_or_null(facts.id)},
          {"ranks", facts.ranks},
          {"world_size", facts.world_size > 0 ? Json(facts.world_size) : Json(nullptr)},
          {"missing_ranks", facts.missing_ranks},
          {"hosts", facts.hosts.size()},
          {"host_names", hosts},
          {"devices", devices},
          {"started", facts.started_realtime_ns != 0 ? Json(iso_time(facts.started_realtime_ns)) : Json(nullptr)},
          {"source", facts.source},
          {"command", text_or_null(facts.command)}};
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
          {"gaps", gaps}};
}

// How sure the boundaries are: the program's own markers, a rule, or nothing.
double confidence_in(const std::string& source) {
  if (source.rfind("marker", 0) == 0) return 1;
  return source == "none" ? 0 : 0.5;
}

Json steps(const Report& report) {
  const RunMetrics& metrics = report.metrics;
  Json list = Json::array();
  for (const StepDuration& step : metrics.steps.analysed)
    list.push_back({{"step", step.number}, {"duration_ns", nanoseconds(step.mean_ns)}});
  return {{"count", metrics.steps.analysed.size()},
          {"warmup", metrics.steps.warmup},
          {"detected_by", valid_utf8(report.facts.steps_source)},
          {"confidence", confidence_in(report.facts.steps_source)},
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
         {"transfer_ns", or_null(line.transfer_ns)},
         {"skew_ns", or_null(line.skew_ns)},
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
                     {"steps", straggler.steps},
                     {"persistent", straggler.is_persistent}});
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
          {"rules",
           {{"mean_over_1_1", report.has_work ? Json(report.mean_over_1_1) : Json(nullptr)},
            {"z_over_2", report.has_z ? Json(report.z_over_2) : Json(nullptr)}}},
          {"ranks", ranks}};
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

Json hta(const HtaBreakdown& of) {
  if (!of.is_defined) return nullptr;
  return {{"kernel_time_us", of.kernel_time_us},
          {"idle_time_us", of.idle_time_us},
          {"compute_time_us", of.compute_time_us},
          {"non_compute_time_us", of.non_compute_time_us},
          {"comp_comm_overlap_pctg", of.has_overlap ? Json(of.overlap_percent) : Json(nullptr)}};
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
         {"where", nullptr}});
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
                     {"ledger", ledger(report.metrics.ledger, step_ns)},
                     {"overlap", overlap(report.metrics.overlap)},
                     {"collectives", collectives(report.metrics)},
                     {"stragglers", stragglers(report.metrics.stragglers)},
                     {"kernels", kernels(report.metrics)},
                     {"per_rank", per_rank(report.metrics)},
                     {"findings", findings(report.findings)}};
  return json.dump(1) + "\n";
}

}  // namespace tauprof
