#include <fmt/format.h>

#include <algorithm>

#include "report/text_sections.h"
#include "report/text_values.h"
#include "report/value_names.h"
#include "report/wrapped_text.h"

namespace tauprof {
namespace {

constexpr size_t kTextColumn = 9;

// "36 % longer (34 to 38 %)"
std::string slowdown_text(const Disturbance& disturbance) {
  std::string text = fmt::format("{:.3g} % longer", 100 * *disturbance.slowdown);
  if (disturbance.low) text += fmt::format(" ({:.3g} to {:.3g} %)", 100 * *disturbance.low, 100 * *disturbance.high);
  return text;
}

std::string basis_text(const Disturbance& disturbance) {
  if (disturbance.source == HostSource::kStepTime)
    return fmt::format("{} recorded, {} by --step-time", duration_text(*disturbance.full_step_ns),
                       duration_text(*disturbance.light_step_ns));
  return fmt::format("{} pairs of steps with and without device times", disturbance.pairs);
}

// "; 7 % of the steps have device times, so the run took 2.6 % longer"
std::string run_text(const Disturbance& disturbance) {
  if (!disturbance.full_share) return {};
  return fmt::format("; {:.2g} % of the steps have device times, so the run took {:.2g} % longer",
                     100 * *disturbance.full_share, 100 * *disturbance.run_slowdown());
}

// How near the corrected step is, by light steps that it did not know.
std::string nearness_text(const Disturbance& disturbance) {
  return disturbance.error ? fmt::format("; light steps are predicted to {:.2g} %", 100 * *disturbance.error) : "";
}

// Whether something that the report says rests on how fast the host is.
bool rests_on_host(const Report& report) {
  return std::any_of(report.findings.begin(), report.findings.end(),
                     [](const Finding& finding) { return finding.id == FindingId::kLaunchBound; });
}

}  // namespace

std::string cost_words(const Report& report) {
  const Disturbance& disturbance = report.disturbance;
  if (disturbance.slowdown && disturbance.is_corrected())
    return fmt::format("recording made a step {}: {}{}. All else is of the job without it{}",
                       slowdown_text(disturbance), basis_text(disturbance), run_text(disturbance),
                       nearness_text(disturbance));
  if (disturbance.is_corrected())
    return "of recording: not known, " + terminal_text(disturbance.reason) +
           ". All else is of the job with the host's times of light steps" + nearness_text(disturbance);
  if (disturbance.slowdown)
    return fmt::format("recording made a step {}: {}{}. All else is of the run as recorded: {}",
                       slowdown_text(disturbance), basis_text(disturbance), run_text(disturbance),
                       terminal_text(disturbance.reason));
  if (rests_on_host(report)) return "of recording: not known; --step-time MS, from your own log, corrects for it";
  return {};
}

std::string cost_line(const Report& report, size_t width) {
  const std::string words = cost_words(report);
  return words.empty() ? words : wrapped("COST     " + words, width, kTextColumn, 3);
}

}  // namespace tauprof
