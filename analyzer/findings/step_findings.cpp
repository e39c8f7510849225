#include "findings/step_findings.h"

#include "limits/analysis_limits.h"

namespace tauprof {

void add_step_findings(const RunFacts& facts, const RunMetrics& metrics, std::vector<Finding>& found) {
  if (!metrics.agreement.disagreeing.empty()) {
    Finding finding{"steps-differ", Severity::kWarning, "Ranks cut their steps in different ways"};
    finding.evidence = "collectives that happened together lie in different steps";
    finding.ranks = metrics.agreement.disagreeing;
    finding.advice = "Mark the steps (NVTX ranges \"step N\", or TAUPROF_STEP_MARKER), or compare ranks with care.";
    found.push_back(std::move(finding));
  }
  if (facts.steps_confidence < kUnsureSteps && !metrics.steps.analysed.empty()) {
    Finding finding{
        "steps-unsure", Severity::kInfo,
        facts.is_by_time() ? "No steps are known: the report is by time" : "It is not sure where steps begin"};
    finding.evidence = facts.steps_reason;
    finding.advice = "Mark the steps (NVTX ranges \"step N\", or TAUPROF_STEP_MARKER).";
    found.push_back(std::move(finding));
  }
}

}  // namespace tauprof
