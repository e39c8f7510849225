#include "report/repairs.h"

#include <algorithm>

#include "limits/analysis_limits.h"

namespace tauprof {
namespace {

// Findings about the recording stand with the checks.
bool is_repair(const Finding& finding, double step) {
  if (is_urgent(finding)) return true;
  if (finding.kind().scope == FindingScope::kRecording) return false;
  // A finding that costs time and gives nothing back is listed, so that it can say why.
  if (finding.saves_ns_per_step)
    return *finding.saves_ns_per_step >= kLeastSaving * step || finding.cost_ns_per_step >= kWarningShare * step;
  return finding.severity != Severity::kInfo;
}

}  // namespace

bool is_urgent(const Finding& finding) { return finding.id == FindingId::kHang || finding.id == FindingId::kMismatch; }

double step_before(const Report& report) { return report.savings.step_before(report.metrics.steps.step_duration.mean); }

std::vector<const Finding*> repairs_of(const Report& report) {
  const double step = step_before(report);
  std::vector<const Finding*> repairs;
  for (const Finding& finding : report.findings)
    if (is_repair(finding, step)) repairs.push_back(&finding);
  if (!report.verdict || !report.verdict->about) return repairs;
  const Finding* const main = &report.findings[*report.verdict->about];
  std::stable_partition(repairs.begin(), repairs.end(), [&](const Finding* finding) { return finding == main; });
  return repairs;
}

std::string whatif_options(const Finding& finding, const Report& report) {
  return finding.whatif.empty() || report.choice.empty() ? finding.whatif : finding.whatif + " " + report.choice;
}

std::string whatif_command(const Finding& finding, const Report& report) {
  return "tauprof whatif " + report.logs + " " + whatif_options(finding, report);
}

}  // namespace tauprof
