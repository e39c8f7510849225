#include "findings/finders.h"
#include "limits/analysis_limits.h"

namespace tauprof {

void add_step_findings(const RunFacts& facts, const RunMetrics& metrics, std::vector<Finding>& found) {
  if (!metrics.steps.agreement.disagreeing.empty()) {
    Finding finding(FindingId::kStepsDiffer, Severity::kWarning);
    finding.evidence = "collectives that happened together lie in different steps";
    finding.ranks = metrics.steps.agreement.disagreeing;
    found.push_back(std::move(finding));
  }
  if (facts.steps_confidence < kUnsureSteps && !metrics.steps.selection.analysed.empty()) {
    Finding finding(FindingId::kStepsUnsure);
    if (facts.is_by_time()) finding.title = "No steps are known: the report is by time";
    finding.evidence = facts.steps_reason;
    found.push_back(std::move(finding));
  }
}

}  // namespace tauprof
