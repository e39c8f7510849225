#include "report/json_report.h"

#include "findings/finding_words.h"
#include "report/communication_json.h"
#include "report/efficiency_json.h"
#include "report/input_json.h"
#include "report/job_json.h"
#include "report/ledger_json.h"
#include "report/link_model_json.h"
#include "report/memory_json.h"
#include "report/parallelism_json.h"
#include "report/progress_json.h"
#include "report/recording_json.h"
#include "report/step_json.h"
#include "report/straggler_json.h"
#include "report/telemetry_json.h"
#include "report/value_names.h"
#include "report/work_json.h"

namespace tauprof {
namespace {

constexpr char kSchema[] = "tauprof.report/2";

Json replay_error_json(const Savings& savings) { return savings.error ? Json(savings.error->mean) : Json(nullptr); }

Json whatif_json(const Savings& savings) {
  return {{"replay_error", replay_error_json(savings)},
          {"replay_error_worst", savings.error ? Json(savings.error->worst) : Json(nullptr)},
          {"reason", text_or_null(savings.reason)},
          {"combined_saving_ns_per_step",
           savings.combined_ns_per_step ? nanoseconds_json(*savings.combined_ns_per_step) : Json(nullptr)},
          {"combined_contention_ns_per_step",
           savings.combined_ns_per_step ? nanoseconds_json(savings.combined_contention_ns_per_step) : Json(nullptr)},
          {"contention_loss", or_null(savings.contention_loss)},
          {"limited_to", text_or_null(savings.limited_to)}};
}

Json verdict_json(const std::optional<Verdict>& verdict) {
  if (!verdict) return nullptr;
  return {{"class", name_of(verdict->kind)},
          {"title", verdict->title},
          {"because", verdict->because},
          {"by_time", verdict->is_by_time}};
}

Json findings(const std::vector<Finding>& found, const Savings& savings) {
  Json result = Json::array();
  for (const Finding& finding : found) {
    const FindingWhere where = where_of(finding);
    result.push_back({{"id", name_of(finding.id)},
                      {"severity", name_of(finding.severity)},
                      {"title", finding.title},
                      {"evidence", evidence_text(finding)},
                      {"ranks", finding.ranks},
                      {"steps", finding.steps},
                      {"saves_ns_per_step",
                       finding.saves_ns_per_step ? nanoseconds_json(*finding.saves_ns_per_step) : Json(nullptr)},
                      {"saves_reason", text_or_null(finding.saves_reason)},
                      {"replay_error", finding.saves_ns_per_step ? replay_error_json(savings) : Json(nullptr)},
                      {"advice", advice_text(finding)},
                      {"where", text_or_null(where.place)},
                      {"where_share", where.share > 0 ? Json(where.share) : Json(nullptr)}});
  }
  return result;
}

// An operation trace has no spans, and so no other sections.
Json job_report(const Report& report) {
  return {{"schema", kSchema},
          {"run", run_json(report.facts)},
          {"quality", quality_json(report.facts, report.metrics)},
          {"steps", steps_json(report)},
          {"whatif", whatif_json(*report.job)},
          {"findings", findings(report.findings, report.savings)}};
}

std::string printed(const Json& json) {
  return terminal_json(json.dump(1, ' ', false, Json::error_handler_t::replace)) + "\n";
}

}  // namespace

std::string json_report(const Report& report) {
  const RunMetrics& metrics = report.metrics;
  if (report.job) return printed(job_report(report));
  const Json json = {{"schema", kSchema},
                     {"run", run_json(report.facts)},
                     {"quality", quality_json(report.facts, metrics)},
                     {"settings", settings_json(report.facts)},
                     {"steps", steps_json(report)},
                     {"phases", phases_json(metrics)},
                     {"input", input_json(report)},
                     {"ledger", ledger_json(metrics)},
                     {"overlap", overlap_json(metrics.overlap, metrics.is_timed())},
                     {"collectives", collectives_json(metrics)},
                     {"alpha_beta", alpha_beta_json(metrics.links)},
                     {"communication", communication_json(metrics)},
                     {"messages", messages_json(metrics.messages)},
                     {"parallelism", parallelism_json(metrics)},
                     {"stragglers", stragglers_json(metrics.stragglers)},
                     {"efficiency", efficiency_json(metrics)},
                     {"memory", memory_json(metrics)},
                     {"telemetry", telemetry_json(metrics)},
                     {"calls", calls_json(metrics)},
                     {"kernels", kernels_json(metrics)},
                     {"slow_calls", slow_calls_json(metrics)},
                     {"clock", clock_json(metrics)},
                     {"progress", progress_json(metrics.progress)},
                     {"mismatches", mismatches_json(metrics.mismatches)},
                     {"per_rank", per_rank_json(metrics)},
                     {"verdict", verdict_json(report.verdict)},
                     {"whatif", whatif_json(report.savings)},
                     {"findings", findings(report.findings, report.savings)}};
  return printed(json);
}

}  // namespace tauprof
