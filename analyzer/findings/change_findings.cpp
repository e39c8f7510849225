#include "findings/finders.h"
#include "model/operation_names.h"

namespace tauprof {
namespace {

// "idle_host_stall grew from 0.2 ms to 308 ms on rank 2".
Statement what_grew(const Growth& change) {
  const bool grew = change.changed_ns >= change.usual_ns;
  Statement text = said(row_name(change.row), grew ? " grew from " : " shrank from ", Duration{change.usual_ns}, " to ",
                        Duration{change.changed_ns}, " a step on ",
                        change.ranks.empty() ? said("most ranks") : said(Ranks{change.ranks}));
  if (!change.collective) return text;
  const ChangedCollective& one = *change.collective;
  return text.also(said(name_of(one.operation),
                        one.bytes > 0 ? said(" of ", Volume{static_cast<double>(one.bytes)}) : Statement(), " took ",
                        Duration{one.changed_ns}, " instead of ", Duration{one.usual_ns}));
}

void add_evidence(const StepChange& change, const RunMetrics& metrics, Finding& finding) {
  finding.evidence = what_grew(change.grew);
  finding.ranks = change.grew.ranks;
  finding.steps = change.steps;
  finding.tells = Tells::kWhen;
  finding.repair.kind = RepairKind::kAsOtherSteps;
  finding.repair.steps = change.steps;
  finding.repair.are_windows = true;
  const double cost = (change.changed_ns - change.usual_ns) * static_cast<double>(change.steps.size());
  const auto steps = static_cast<double>(metrics.steps.selection.analysed.size());
  if (cost <= 0) return;
  finding.cost_ns_per_step = cost / steps;
  finding.severity = severity_of(cost / (metrics.steps.step_duration.mean * steps));
}

}  // namespace

void add_change_findings(const RunFacts& facts, const RunMetrics& metrics, std::vector<Finding>& found) {
  if (facts.is_by_time()) return;
  for (const StepChange& outlier : metrics.steps.step_changes.outliers) {
    Finding finding(FindingId::kSlowSteps);
    add_evidence(outlier, metrics, finding);
    finding.title = said(Steps{outlier.steps, true}, outlier.steps.size() == 1 ? " takes " : " take ",
                         Duration{outlier.changed_ns}, ", the others ", Duration{outlier.usual_ns});
    found.push_back(std::move(finding));
  }
  if (!metrics.steps.step_changes.change) return;
  const StepChange& change = *metrics.steps.step_changes.change;
  Finding finding(FindingId::kStepChange);
  add_evidence(change, metrics, finding);
  finding.title = said("Steps take ", Duration{change.changed_ns}, " from step ", change.steps.front(), " on, ",
                       Duration{change.usual_ns}, " before");
  found.push_back(std::move(finding));
}

}  // namespace tauprof
