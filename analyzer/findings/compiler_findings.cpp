#include <algorithm>

#include "findings/asked_settings.h"
#include "findings/finders.h"

namespace tauprof {
namespace {

bool is_idle_host(LedgerRow row) {
  return row == LedgerRow::kIdleHostLaunch || row == LedgerRow::kIdleHostStall || row == LedgerRow::kIdleHostAllocation;
}

// Compiling keeps the host busy, or other processes for which it waits, in few steps.
bool may_be_compiling(const Finding& finding, const StepChanges& changes) {
  if (finding.steps.empty()) return false;
  if (finding.repair.kind == RepairKind::kRow) return is_idle_host(*finding.repair.row);
  if (finding.id != FindingId::kSlowSteps) return false;
  return std::any_of(changes.outliers.begin(), changes.outliers.end(), [&](const StepChange& outlier) {
    return outlier.steps == finding.steps && is_idle_host(outlier.grew.row);
  });
}

// The costliest such finding is about recompilation. Others with the same steps are the same.
void name_recompiling(double compiled, const RunMetrics& metrics, std::vector<Finding>& found) {
  Finding* costliest = nullptr;
  for (Finding& finding : found)
    if (may_be_compiling(finding, metrics.steps.step_changes) &&
        (costliest == nullptr || finding.cost_ns_per_step > costliest->cost_ns_per_step))
      costliest = &finding;
  if (costliest == nullptr) return;
  Finding finding = *costliest;
  finding.id = FindingId::kRecompilation;
  finding.tells = Tells::kWhy;
  finding.title.also("torch.compile may compile again there");
  finding.evidence.also(said(Count{compiled}, " graphs had been compiled when PyTorch was last asked"));
  finding.advice = finding.kind().advice;
  std::erase_if(found, [&](const Finding& other) {
    return other.steps == finding.steps && may_be_compiling(other, metrics.steps.step_changes);
  });
  found.push_back(std::move(finding));
}

}  // namespace

void add_compiler_findings(const RunFacts& facts, const RunMetrics& metrics, std::vector<Finding>& found) {
  const double compiled = asked_number(facts, "compiler.graphs").value_or(0);
  if (compiled > 1) name_recompiling(compiled, metrics, found);
  const double breaks = asked_number(facts, "compiler.graph_breaks").value_or(0);
  if (breaks <= 0) return;
  Finding finding(FindingId::kGraphBreaks);
  finding.evidence = said(Count{breaks}, " graph breaks in ", Count{compiled}, " graphs");
  finding.repair.reason = "what the compiler would make of the whole is not in the records";
  finding.saves_reason = finding.repair.reason;
  found.push_back(std::move(finding));
}

}  // namespace tauprof
