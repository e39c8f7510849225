#include "findings/verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "findings/duration_text.h"
#include "findings/finding_words.h"
#include "limits/analysis_limits.h"

namespace tauprof {
namespace {

bool has_class(const Finding& finding) { return finding.kind().verdict != VerdictClass::kNone; }

double critical_wait(const Pipeline& pipeline) {
  const PipelineStage& critical = pipeline.stages[pipeline.critical];
  return static_cast<double>(critical.wait_previous + critical.wait_next);
}

// What causes are weighed by: what their repairs save, or where nothing was replayed, the time that they take.
class Scale {
 public:
  Scale(double step, const Savings& savings) : step_(step), reason_(savings.reason) {}

  double step() const { return step_; }
  bool is_by_time() const { return !reason_.empty(); }

  std::optional<double> of(const Finding& finding) const {
    if (!is_by_time()) return finding.saves_ns_per_step;
    return finding.cost_ns_per_step > 0 ? std::optional(finding.cost_ns_per_step) : std::nullopt;
  }

  // "Rank 2 holds up the others: its host stands still. Without that the step takes 236.0 ms instead of 1.221 s", or
  // "The host cannot launch fast enough, 14.60 ms of a step of 41.81 ms".
  std::string said(const Finding& finding) const {
    if (is_by_time())
      return fmt::format("{}, {} of a step of {}", finding.title, duration_text(*of(finding)), duration_text(step_));
    return fmt::format("{}. Without that the step takes {} instead of {}", finding.title,
                       duration_text(step_ - *of(finding)), duration_text(step_));
  }

  std::string none_is_worth_it() const {
    const std::string share = fmt::format("{:.0f} % of the step", 100 * kWorthwhile);
    return (is_by_time() ? "Nothing that could be repaired takes " : "No repair gives ") + share;
  }

  // What the records leave open is no better than a known cause that is worth repairing.
  bool is_better(const Finding& finding, const Finding& best) const {
    const auto rank = [&](const Finding& one) {
      const bool is_known = !one.is_open && !one.is_why_unknown && *of(one) >= kWorthwhile * step_;
      return std::pair(is_known, *of(one));
    };
    return rank(finding) > rank(best);
  }

 private:
  double step_;
  std::string reason_;
};

double share_of_computing(const RunMetrics& metrics) {
  return static_cast<double>(metrics.ledger.rows()[static_cast<size_t>(LedgerRow::kCompute)]) /
         static_cast<double>(std::max<Nanoseconds>(1, metrics.ledger.sum()));
}

// The pipeline whose critical stage waits longest for its neighbours; null: none waits. Without a bubble the steps
// would be as long as that stage's own work, so its waiting is what a schedule without one gives.
const Pipeline* longest_bubble(const RunMetrics& metrics) {
  const Pipeline* longest = nullptr;
  for (const Pipeline& pipeline : metrics.messages.pipelines)
    if (critical_wait(pipeline) > (longest == nullptr ? 0 : critical_wait(*longest))) longest = &pipeline;
  return longest;
}

Verdict of_bubble(const Pipeline& pipeline, double share) {
  const std::string ideal =
      pipeline.ideal_bubble ? fmt::format(", {:.0f} % with equal stages", 100 * *pipeline.ideal_bubble) : "";
  return {VerdictClass::kPipeline,
          fmt::format("The pipeline's bubble is {:.0f} % of its stages' time{}", 100 * pipeline.bubble, ideal),
          {fmt::format("rank {}, whose stage computes longest, waits for its neighbours for {:.0f} % of the step",
                       pipeline.stages[pipeline.critical].rank, 100 * share),
           fmt::format("of all stages, neighbours wait longest for that of rank {}",
                       pipeline.stages[pipeline.most_waited_for].rank),
           "more micro-batches in a step, or interleaved stages, make the bubble smaller"}};
}

// The straggler's finding that is the verdict. One of unknown cause gives way to what gives more: whom to repair is
// known, but not what.
std::optional<size_t> decisive_straggler(const std::vector<Finding>& findings, const Scale& scale) {
  double most = 0;
  for (const Finding& finding : findings)
    if (has_class(finding)) most = std::max(most, scale.of(finding).value_or(0));
  for (size_t i = 0; i < findings.size(); ++i) {
    const Finding& finding = findings[i];
    const double gain = scale.of(finding).value_or(0);
    if (finding.kind().verdict != VerdictClass::kStraggler || gain < kStragglerVerdict * scale.step()) continue;
    if (scale.is_by_time() && finding.at_most == Severity::kInfo) continue;  // its clock may be wrong by as much
    if (finding.is_why_known() || gain >= most) return i;
  }
  return std::nullopt;
}

// None has a class: nothing.
std::optional<size_t> best_of(const std::vector<Finding>& findings, const Scale& scale) {
  std::optional<size_t> best;
  for (size_t i = 0; i < findings.size(); ++i) {
    if (!scale.of(findings[i]) || !has_class(findings[i])) continue;
    if (!best || scale.is_better(findings[i], findings[*best])) best = i;
  }
  return best;
}

Verdict about(size_t index, const std::vector<Finding>& findings, const Scale& scale) {
  const Finding& finding = findings[index];
  return {finding.kind().verdict, scale.said(finding), {evidence_text(finding)}, index};
}

Verdict weighed(const RunMetrics& metrics, const std::vector<Finding>& findings, const Scale& scale) {
  if (const std::optional<size_t> straggler = decisive_straggler(findings, scale))
    return about(*straggler, findings, scale);
  const double step = scale.step();
  const std::optional<size_t> best = best_of(findings, scale);
  const double best_ns = best ? *scale.of(findings[*best]) : 0;
  const Pipeline* const bubble = longest_bubble(metrics);
  const double bubble_ns =
      bubble == nullptr ? 0 : critical_wait(*bubble) / static_cast<double>(metrics.steps.analysed.size());
  const double computes = share_of_computing(metrics);
  const std::string compute = fmt::format("the devices compute {:.0f} % of the time", 100 * computes);
  if (std::max(best_ns, bubble_ns) < kWorthwhile * step)
    return {VerdictClass::kBalanced, scale.none_is_worth_it(), {compute}};
  const bool is_bubble = bubble_ns > best_ns;
  if (computes >= kComputesMostly)
    return {VerdictClass::kGpu,
            fmt::format("The kernels are what takes time: {}", compute),
            {is_bubble ? of_bubble(*bubble, bubble_ns / step).title : scale.said(findings[*best])}};
  return is_bubble ? of_bubble(*bubble, bubble_ns / step) : about(*best, findings, scale);
}

}  // namespace

std::optional<Verdict> verdict_of(const RunMetrics& metrics, const std::vector<Finding>& findings,
                                  const Savings& savings) {
  for (const Finding& finding : findings)
    if (finding.kind().verdict == VerdictClass::kHang)
      return Verdict{VerdictClass::kHang, finding.title, {evidence_text(finding)}};
  const Scale scale(metrics.step_duration.mean, savings);
  if (scale.step() <= 0) return std::nullopt;
  Verdict verdict = weighed(metrics, findings, scale);
  verdict.is_by_time = scale.is_by_time();
  if (verdict.is_by_time) verdict.because.push_back("by time alone: " + savings.reason);
  return verdict;
}

}  // namespace tauprof
