#include "findings/verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "findings/duration_text.h"
#include "limits/analysis_limits.h"

namespace tauprof {
namespace {

constexpr std::array<std::pair<std::string_view, VerdictClass>, 14> kAbout = {{
    {"input-copies", VerdictClass::kData},
    {"data-wait", VerdictClass::kData},
    {"exposed-copy", VerdictClass::kData},
    {"exposed-comm", VerdictClass::kComm},
    {"exposed-comm-unsplit", VerdictClass::kComm},
    {"launch-bound", VerdictClass::kHost},
    {"host-sync", VerdictClass::kHost},
    {"host-stall", VerdictClass::kHost},
    {"allocation", VerdictClass::kHost},
    {"recompilation", VerdictClass::kHost},
    {"fp32-products", VerdictClass::kGpu},
    {"misaligned-products", VerdictClass::kGpu},
    {"unfused-optimizer", VerdictClass::kGpu},
    {"straggler", VerdictClass::kStraggler},
}};

std::optional<VerdictClass> class_of(const Finding& finding) {
  for (const auto& [id, about] : kAbout)
    if (finding.id == id) return about;
  return std::nullopt;
}

double critical_wait(const Pipeline& pipeline) {
  const PipelineStage& critical = pipeline.stages[pipeline.critical];
  return static_cast<double>(critical.wait_previous + critical.wait_next);
}

// "Rank 2 holds up the others: its host stands still. Without that the step takes 0.236 s instead of 1.221 s".
std::string with_saving(const Finding& finding, double step) {
  return fmt::format("{}. Without that the step takes {} instead of {}", finding.title,
                     duration_text(step - *finding.saves_ns_per_step), duration_text(step));
}

// What the records leave open is no better than a known cause that is worth repairing.
bool is_better(const Finding& finding, const Finding& best, double step) {
  const auto rank = [&](const Finding& of) {
    const bool is_known = !of.is_open && *of.saves_ns_per_step >= kWorthwhile * step;
    return std::pair(is_known, *of.saves_ns_per_step);
  };
  return rank(finding) > rank(best);
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

}  // namespace

std::string_view name_of(VerdictClass verdict) {
  constexpr std::string_view kNames[] = {"hang", "straggler", "balanced", "gpu", "data", "comm", "pipeline", "host"};
  return kNames[static_cast<size_t>(verdict)];
}

std::optional<Verdict> verdict_of(const RunMetrics& metrics, const std::vector<Finding>& findings,
                                  const Savings& savings) {
  for (const Finding& finding : findings)
    if (finding.id == "hang") return Verdict{VerdictClass::kHang, finding.title, {finding.evidence}};
  const double step = metrics.step_duration.mean;
  if (!savings.reason.empty() || step <= 0) return std::nullopt;
  std::optional<size_t> best;
  for (size_t i = 0; i < findings.size(); ++i) {
    const Finding& finding = findings[i];
    if (!finding.saves_ns_per_step || !class_of(finding)) continue;
    if (finding.id == "straggler" && *finding.saves_ns_per_step >= kStragglerVerdict * step)
      return Verdict{VerdictClass::kStraggler, with_saving(finding, step), {finding.evidence}, i};
    if (!best || is_better(finding, findings[*best], step)) best = i;
  }
  const LedgerRows rows = metrics.ledger.rows();
  const double computes = static_cast<double>(rows[static_cast<size_t>(LedgerRow::kCompute)]) /
                          static_cast<double>(std::max<Nanoseconds>(1, metrics.ledger.sum()));
  const std::string compute = fmt::format("the devices compute {:.0f} % of the time", 100 * computes);
  const Pipeline* const bubble = longest_bubble(metrics);
  const double bubble_ns =
      bubble == nullptr ? 0 : critical_wait(*bubble) / static_cast<double>(metrics.steps.analysed.size());
  const double best_ns = best ? *findings[*best].saves_ns_per_step : 0;
  if (std::max(best_ns, bubble_ns) < kWorthwhile * step)
    return Verdict{
        VerdictClass::kBalanced, fmt::format("No repair gives {:.0f} % of the step", 100 * kWorthwhile), {compute}};
  if (computes >= kComputesMostly)
    return Verdict{
        VerdictClass::kGpu,
        fmt::format("The kernels are what takes time: {}", compute),
        {best_ns >= bubble_ns ? with_saving(findings[*best], step) : of_bubble(*bubble, bubble_ns / step).title}};
  if (bubble_ns > best_ns) return of_bubble(*bubble, bubble_ns / step);
  const Finding& finding = findings[*best];
  return Verdict{*class_of(finding), with_saving(finding, step), {finding.evidence}, best};
}

}  // namespace tauprof
