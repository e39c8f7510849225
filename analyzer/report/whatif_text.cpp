#include <cmath>
#include <string>
#include <vector>

#include "limits/analysis_limits.h"
#include "report/text_documents.h"
#include "report/text_lines.h"
#include "report/text_table.h"
#include "report/text_values.h"
#include "report/value_names.h"
#include "report/wrapped_text.h"

namespace tauprof {
namespace {

std::string counted(size_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

std::string error_text(const WhatIfReport& report) {
  if (!report.error) return "repeatability not known: it takes two steps";
  if (report.error->mean > kNoReplay) return "the replay does not hold for these steps";
  if (report.is_predicted) return fmt::format("light steps are predicted to {:.2f} %", 100 * report.error->mean);
  return fmt::format("repeatability {:.2f} % on average, {:.2f} % at worst", 100 * report.error->mean,
                     100 * report.error->worst);
}

std::string name_of(const ScenarioAnswer& scenario) {
  std::string name;
  for (const std::string& change : scenario.changes) name += (name.empty() ? "" : ", ") + change;
  return name;
}

std::vector<std::string> cells_of(const WhatIfReport& report, const ScenarioAnswer& scenario) {
  const std::string name = name_of(scenario);
  if (!scenario.answer.step_ns) return {name, "-", "-", "-", ""};
  const double step = *scenario.answer.step_ns, saves = report.step_ns - step;
  const double share = saves / report.step_ns;
  constexpr double kShown = 0.0005;  // of the step: what rounds to 0.1 %
  const double contention = scenario.answer.contention_ns;
  const auto shown = [&](double ns) { return (std::llround(ns) < 0 ? "-" : "") + duration_text(std::abs(ns)); };
  const auto of_step = [&] {
    const std::optional<Answer::Bounds> bounds = scenario.answer.between();
    if (!bounds) return duration_text(step);
    const std::optional<double> error =
        report.error ? std::optional(report.error->mean * report.step_ns) : std::nullopt;
    return with_bounds(duration_text(step), {bounds->least_ns, bounds->most_ns}, error, report.step_ns);
  };
  return {name, of_step(), shown(saves), percent_text(std::abs(share) < kShown ? 0 : share),
          std::abs(contention) < kShown * report.step_ns ? "" : shown(contention)};
}

}  // namespace

std::string whatif_text(const WhatIfReport& report, size_t width) {
  TextLines lines;
  lines.line("WHAT IF   ({}, {}; {})", counted(report.ranks, "rank"), counted(report.steps, report.unit),
             error_text(report));
  if (!report.limited_to.empty()) lines.line("  {}", report.limited_to);
  if (report.explained_share && *report.explained_share < kAllExplained)
    lines.line("  what {:.0f} % of the waiting is for is recorded or tested, the rest is assumed",
               100 * *report.explained_share);
  std::string text = lines.take();
  TextTable table({{"", true, 0, Fit::kWraps}, {std::string(report.unit)}, {"saves"}, {""}, {"contention", false, 1}});
  table.row({report.is_undisturbed ? "undisturbed" : "as measured",
             report.step_ns > 0 ? duration_text(report.step_ns) : "-"});
  for (const ScenarioAnswer& scenario : report.scenarios) table.row(cells_of(report, scenario));
  text += table.text(width);
  for (const ScenarioAnswer& scenario : report.scenarios)
    if (!scenario.answer.step_ns) lines.line("  {}: not known: {}", name_of(scenario), scenario.answer.reason);
  if (report.contention_loss)
    lines.line("  kernels lose {} of their speed beside communication; contention: what of a saving is due to that",
               percent_text(*report.contention_loss));
  if (report.best_bucket_mib) lines.line("  shortest {}: buckets of {} MB", report.unit, *report.best_bucket_mib);
  return terminal_lines(with_wrapped_prose(text + lines.take(), width));
}

}  // namespace tauprof
