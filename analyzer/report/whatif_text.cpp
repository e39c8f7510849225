#include "report/whatif_text.h"

#include <algorithm>
#include <cmath>

#include "report/text_lines.h"
#include "report/text_values.h"
#include "report/value_names.h"

namespace tauprof {
namespace {

std::string counted(size_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

std::string error_text(const WhatIfReport& report) {
  if (!report.error) return "replay error not known: it takes two steps";
  return fmt::format("replay error {:.2f} % on average, {:.2f} % at worst", 100 * report.error->mean,
                     100 * report.error->worst);
}

// Of the longest scenario, within reason.
size_t name_width(const std::vector<std::string>& names) {
  constexpr size_t kLeast = 24, kMost = 72;
  size_t width = kLeast;
  for (const std::string& name : names) width = std::max(width, std::min(kMost, name.size()));
  return width;
}

void scenario_line(TextLines& lines, const WhatIfReport& report, const ScenarioAnswer& scenario,
                   const std::string& name) {
  if (!scenario.answer.step_ns) {
    lines.line("  {}  not known: {}", name, scenario.answer.reason);
    return;
  }
  const double step = *scenario.answer.step_ns, saves = report.step_ns - step;
  const double share = saves / report.step_ns;
  constexpr double kShown = 0.0005;  // of the step: what rounds to 0.1 %
  const double contention = scenario.answer.contention_ns;
  const auto shown = [&](double ns) { return (std::llround(ns) < 0 ? "-" : "") + duration_text(std::abs(ns)); };
  lines.line("  {} {:>12} {:>12} {:>9}{}", name, duration_text(step), shown(saves),
             percent_text(std::abs(share) < kShown ? 0 : share),
             std::abs(contention) < kShown * report.step_ns ? "" : "   contention " + shown(contention));
}

}  // namespace

std::string whatif_text(const WhatIfReport& report) {
  std::vector<std::string> names{"as measured"};
  for (const ScenarioAnswer& scenario : report.scenarios) {
    std::string& name = names.emplace_back();
    for (const std::string& change : scenario.changes) name += (name.empty() ? "" : ", ") + change;
    name = terminal_text(name);
  }
  const size_t width = name_width(names);
  TextLines lines;
  lines.line("WHAT IF   ({}, {}; {})", counted(report.ranks, "rank"), counted(report.steps, report.unit),
             error_text(report));
  if (!report.limited_to.empty()) lines.line("  {}", report.limited_to);
  lines.line("  {:<{}} {:>12} {:>12}", "", width, report.unit, "saves");
  lines.line("  {:<{}} {:>12}", names.front(), width, report.step_ns > 0 ? duration_text(report.step_ns) : "-");
  for (size_t i = 0; i < report.scenarios.size(); ++i)
    scenario_line(lines, report, report.scenarios[i], fmt::format("{:<{}}", names[i + 1], width));
  if (report.contention_loss)
    lines.line("  kernels lose {} of their speed beside communication; contention: what of a saving is due to that",
               percent_text(*report.contention_loss));
  if (report.best_bucket_mib) lines.line("  shortest {}: buckets of {} MB", report.unit, *report.best_bucket_mib);
  return terminal_lines(lines.take());
}

}  // namespace tauprof
