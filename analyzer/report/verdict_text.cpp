#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "findings/health.h"
#include "report/rank_words.h"
#include "report/run_shares.h"
#include "report/statement_text.h"
#include "report/step_shares.h"
#include "report/text_sections.h"
#include "report/text_values.h"
#include "report/value_names.h"
#include "report/wrapped_text.h"

namespace tauprof {
namespace {

constexpr size_t kTextColumn = 9;
constexpr size_t kLinesOfRepairs = 8;  // for a repair with its details, the titles of others, and all together
constexpr std::string_view kUnknownMfu = "MFU –";

std::string steps_source(const RunFacts& facts) {
  return facts.is_by_time() ? "time; mark the steps" : terminal_text(facts.steps_source);
}

std::string run_line(const Report& report, size_t width) {
  const RunFacts& facts = report.facts;
  const RunMetrics& metrics = report.metrics;
  std::vector<std::string> items = {
      counted_ranks(facts.ranks, facts.world_size) +
      (facts.device_count > facts.ranks ? fmt::format(" with {} devices", facts.device_count) : "")};
  if (!facts.devices.empty()) items.push_back(terminal_text(facts.devices.front()));
  items.push_back(fmt::format("{} {}{} ({})", metrics.steps.selection.analysed.size(), report.unit(),
                              metrics.steps.selection.analysed.size() == 1 ? "" : "s", steps_source(facts)));
  if (metrics.steps.step_duration.count > 0) {
    items.push_back(fmt::format("{} {}", report.unit(), duration_text(metrics.steps.step_duration.mean)));
    if (!facts.is_by_time()) items.push_back(fmt::format("{:.3g} steps/s", 1e9 / metrics.steps.step_duration.mean));
  } else if (metrics.steps.host_duration.count > 0) {
    items.push_back(fmt::format("{} {} on the host", report.unit(), duration_text(metrics.steps.host_duration.mean)));
  }
  if (const std::string outside = outside_words(report); !outside.empty()) items.push_back(outside);
  if (const std::string used = utilization_words(metrics.devices.efficiency); !used.empty())
    items.push_back(used);
  else if (const std::string line = wrapped_items("", items, width - std::min(width, kUnknownMfu.size() + 3), 2);
           lines_in(line) == 1)
    items.emplace_back(kUnknownMfu);  // the checks say why; not worth a line of its own
  return wrapped_items("", items, width, 2);
}

std::string verdict_line(const Report& report, size_t width) {
  const std::string reason = terminal_text(text_of(report.savings.reason));
  std::string text = "VERDICT  ";
  if (!report.verdict) {
    text += "not known: " + (reason.empty() ? "no steps are known" : reason);
  } else {
    text += fmt::format("{}: {}", name_of(report.verdict->kind), terminal_text(text_of(report.verdict->title)));
    if (report.verdict->is_by_time) text += ". By time alone: " + reason;
  }
  return wrapped(text, width, kTextColumn, 3);
}

std::string step_line(const Report& report, size_t width) {
  const RunMetrics& metrics = report.metrics;
  std::vector<std::string> items;
  for (const StepShare& part : step_shares(metrics))
    items.push_back(fmt::format("{} {:.0f} %", part.label, 100 * part.share));
  if (items.empty()) return {};
  const bool is_of_several = metrics.ranks.size() > 1;
  if (is_of_several) items.front() = "of all ranks' time: " + items.front();
  return wrapped_items("STEP     ", items, width, kTextColumn);
}

std::string checks_line(const Report& report, size_t width) {
  std::vector<std::string> items;
  for (const HealthCheck& check : health_of(report.facts, report.metrics, report.findings)) {
    if (check.outcome == HealthOutcome::kPass)
      items.push_back("ok " + check.id);
    else if (check.outcome == HealthOutcome::kFail)
      items.push_back(fmt::format("FAIL {} ({})", check.id, terminal_text(text_of(check.found))));
    else
      items.push_back(fmt::format("? {} ({})", check.id, terminal_text(text_of(check.found))));
  }
  return wrapped_items("CHECKS   ", items, width, kTextColumn);
}

}  // namespace

std::string verdict_text(const Report& report, const TextStyle& style, size_t most_lines) {
  std::string head = run_line(report, style.width) + verdict_line(report, style.width) + step_line(report, style.width);
  const std::string checks = checks_line(report, style.width), cost = cost_line(report, style.width);
  size_t taken = lines_in(head) + lines_in(checks);
  // A hint gives way to the details of the first repair; what the report is about does not.
  if (report.disturbance.is_corrected() || taken + lines_in(cost) + kLinesOfRepairs <= most_lines) {
    head += cost;
    taken += lines_in(cost);
  }
  const size_t left = std::max<size_t>(4, most_lines - std::min(most_lines, taken));
  return head + repairs_text(report, style.width, left) + checks;
}

}  // namespace tauprof
