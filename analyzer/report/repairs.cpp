#include "report/repairs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <set>

#include "findings/health.h"
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

// The ranks for which a check fails: together they cost what no one of them may.
std::set<int32_t> failing_ranks(const Report& report) {
  std::set<int32_t> ranks;
  for (const HealthCheck& check : health_of(report.facts, report.metrics, report.findings))
    ranks.insert(check.ranks.begin(), check.ranks.end());
  return ranks;
}

bool is_about(const std::set<int32_t>& ranks, const Finding& finding) {
  return finding.kind().verdict == VerdictClass::kStraggler &&
         std::any_of(finding.ranks.begin(), finding.ranks.end(), [&](int32_t rank) { return ranks.contains(rank); });
}

}  // namespace

bool is_urgent(const Finding& finding) { return finding.id == FindingId::kHang || finding.id == FindingId::kMismatch; }

double step_before(const Report& report) { return report.savings.step_before(report.metrics.steps.step_duration.mean); }

std::vector<const Finding*> repairs_of(const Report& report) {
  const double step = step_before(report);
  const std::set<int32_t> failing = failing_ranks(report);
  std::vector<const Finding*> repairs;
  for (const Finding& finding : report.findings)
    if (is_repair(finding, step) || is_about(failing, finding)) repairs.push_back(&finding);
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

std::string next_command(const Finding& finding, const Report& report) {
  if (!finding.whatif.empty() && finding.saves_ns_per_step) return whatif_command(finding, report);
  if (finding.kind().scope != FindingScope::kJob) return {};
  const std::string choice = report.choice.empty() ? "" : " " + report.choice;
  return fmt::format("tauprof analyze {}{} --show {}", report.logs, choice, finding.kind().section);
}

}  // namespace tauprof
