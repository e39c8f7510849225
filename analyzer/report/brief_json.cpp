#include "report/brief_json.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "findings/finding_words.h"
#include "findings/health.h"
#include "model/terminal_text.h"
#include "report/json_values.h"
#include "report/repairs.h"
#include "report/statement_text.h"
#include "report/value_names.h"
#include "report/whatif_command.h"

namespace tauprof {
namespace {

constexpr size_t kMostRepairs = 3;
constexpr double kSmallShare = 0.005;  // of the step; smaller rows are left out

double rounded_share(double share) { return std::round(share * 1e4) / 1e4; }

Json run_json(const Report& report) {
  const RunFacts& facts = report.facts;
  return {{"id", valid_utf8(facts.id)},
          {"source", facts.source},
          {"ranks", facts.ranks},
          {"world_size", facts.world_size},
          {"missing_ranks", facts.missing_ranks.size()},
          {"hosts", facts.hosts.size()},
          {"device", facts.devices.empty() ? Json(nullptr) : Json(valid_utf8(facts.devices.front()))},
          {"dropped", facts.dropped_total()},
          {"damaged_files", facts.files_damaged + facts.files_cut_short}};
}

Json steps_json(const Report& report) {
  const auto& steps = report.metrics.steps;
  const bool is_timed = steps.step_duration.count > 0;
  const Statistics& duration = is_timed ? steps.step_duration : steps.host_duration;
  return {{"analysed", steps.selection.analysed.size()},
          {"unit", report.unit()},
          {"found_by", valid_utf8(report.facts.steps_source)},
          {"mean_ns", duration.count > 0 ? nanoseconds_json(duration.mean) : Json(nullptr)},
          {"on", is_timed ? "device" : "host"}};
}

Json verdict_json(const Report& report) {
  if (!report.verdict) return nullptr;
  return {{"class", name_of(report.verdict->kind)}, {"title", valid_utf8(text_of(report.verdict->title))}};
}

// The rows of the ledger by their shares of all ranks' time, the largest first.
Json time_json(const Report& report) {
  const RunMetrics& metrics = report.metrics;
  if (report.job || metrics.step_ns() <= 0) return nullptr;
  const LedgerRows rows = metrics.time.ledger.rows();
  std::vector<std::pair<double, size_t>> shares;
  for (size_t row = 0; row < kLedgerRowCount; ++row)
    shares.emplace_back(static_cast<double>(rows[row]) / static_cast<double>(metrics.step_ns()), row);
  std::stable_sort(shares.begin(), shares.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  Json json = Json::object();
  for (const auto& [share, row] : shares)
    if (share >= kSmallShare) json[std::string(kLedgerRowNames[row])] = rounded_share(share);
  return json;
}

Json or_null_ns(const std::optional<double>& value) { return value ? nanoseconds_json(*value) : Json(nullptr); }

Json repair_json(const Finding& finding, const Report& report) {
  const double step = step_before(report);
  const std::optional<double>& saves = finding.saves_ns_per_step;
  const FindingWhere where = where_of(finding);
  const bool is_asked = !finding.whatif.empty() && saves;
  return {{"title", valid_utf8(text_of(finding.title))},
          {"ranks", finding.ranks},
          {"saves_ns_per_step", or_null_ns(saves)},
          {"step_becomes_ns", saves && step > 0 ? nanoseconds_json(std::max(0.0, step - *saves)) : Json(nullptr)},
          {"why", valid_utf8(text_of(evidence_of(finding)))},
          {"where", where.place.empty() ? Json(nullptr) : Json(valid_utf8(where.place))},
          {"do", valid_utf8(text_of(advice_of(finding)))},
          {"ask", is_asked ? Json(valid_utf8(whatif_command(finding, report))) : Json(nullptr)}};
}

Json checks_json(const Report& report) {
  Json failed = Json::object(), unknown = Json::array();
  if (!report.job)
    for (const HealthCheck& check : health_of(report.facts, report.metrics)) {
      if (check.outcome == HealthOutcome::kFail) failed[check.id] = valid_utf8(text_of(check.found));
      if (check.outcome == HealthOutcome::kUnknown) unknown.push_back(check.id);
    }
  return {{"failed", failed}, {"unknown", unknown}};
}

std::string line_of(const Json& value) { return value.dump(-1, ' ', false, Json::error_handler_t::replace); }

// An object of an array, a key a line.
std::string lines_of(const Json& object) {
  std::string text;
  for (const auto& [key, value] : object.items())
    text += (text.empty() ? "   {" : ",\n    ") + line_of(key) + ": " + line_of(value);
  return text + "}";
}

}  // namespace

std::string brief_json(const Report& report) {
  std::vector<std::pair<std::string, std::string>> lines = {{"schema", R"("tauprof.brief/1")"},
                                                            {"run", line_of(run_json(report))},
                                                            {"steps", line_of(steps_json(report))},
                                                            {"verdict", line_of(verdict_json(report))},
                                                            {"time_shares", line_of(time_json(report))}};
  std::vector<const Finding*> repairs = repairs_of(report);
  std::string objects;
  for (size_t i = 0; i < std::min(kMostRepairs, repairs.size()); ++i)
    objects += (i > 0 ? ",\n" : "\n") + lines_of(repair_json(*repairs[i], report));
  lines.emplace_back("repairs", "[" + objects + "]");
  lines.emplace_back("more_repairs", std::to_string(repairs.size() - std::min(kMostRepairs, repairs.size())));
  lines.emplace_back("all_together_saves_ns_per_step", line_of(or_null_ns(report.savings.combined_ns_per_step)));
  lines.emplace_back("checks", line_of(checks_json(report)));
  if (report.job) lines.emplace_back("slowdown", line_of(rounded_share(report.job->slowdown)));
  std::string text;
  for (const auto& [key, value] : lines) text += (text.empty() ? "{\n \"" : ",\n \"") + key + "\": " + value;
  return terminal_json(text + "\n}\n");
}

}  // namespace tauprof
