#include "diff/diff_forms.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "diff/diff_values.h"
#include "limits/analysis_limits.h"
#include "report/statement_text.h"
#include "report/value_names.h"

namespace tauprof {
namespace {

size_t fewest_steps(const Side& side) {
  return std::min_element(side.runs.begin(), side.runs.end(),
                          [](const RunSummary& x, const RunSummary& y) { return x.steps < y.steps; })
      ->steps;
}

// "step 1.221 s → 1.102 s, −9.7 %"
std::string means_text(const StepDiff& step) {
  const MeanComparison& means = step.time.means;
  std::string text =
      fmt::format("{} {} → {}", step.is_on_host ? "host step" : "step", duration_text(means.b), duration_text(means.a));
  if (const std::optional<double> ratio = means.ratio()) text += ", " + change_text(*ratio);
  return text;
}

// "95 % interval −10.4 … −9.1 %, p = 2e-9"
std::string certainty_text(const StepDiff& step) {
  std::string text;
  if (step.interval) {
    std::string low = change_text(step.interval->low);
    low.resize(low.size() - 2);  // the unit stands at the other end
    text = fmt::format("{:.0f} % interval {} … {}, ", 100 * kConfidence, low, change_text(step.interval->high));
  }
  const std::string p = probability_text(step.time.means.test->p);
  return text + (p.front() == '<' ? "p < " + p.substr(1) : "p = " + p);
}

}  // namespace

std::string not_judged_because(const Diff& diff) {
  if (diff.step.outcome != Outcome::kNotJudged) return {};
  return fmt::format(
      "too few steps to tell whether that is chance: {} on side A, {} on side B; {} on each would tell, or several "
      "runs "
      "of each",
      fewest_steps(diff.a), fewest_steps(diff.b), kFewestStepsToJudge);
}

std::string verdict_text(const Diff& diff) {
  const StepDiff& step = diff.step;
  if (step.outcome == Outcome::kNotJudged) return means_text(step) + "; " + not_judged_because(diff);
  const std::string means = fmt::format("{} ({})", means_text(step), certainty_text(step));
  if (step.outcome != Outcome::kNotShown) return means;
  std::string text = "no difference that these runs can show: " + means;
  if (step.detectable)
    text += fmt::format("; a difference of {} would have been seen",
                        share_text(*step.detectable, *step.detectable < 0.1 ? 1 : 0));
  return text;
}

}  // namespace tauprof
