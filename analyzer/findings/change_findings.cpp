#include <fmt/format.h>

#include <cctype>

#include "findings/duration_text.h"
#include "findings/finders.h"
#include "findings/rank_words.h"
#include "model/operation_names.h"

namespace tauprof {
namespace {

// "idle_host_stall grew from 0.2 ms to 308 ms on rank 2".
std::string what_grew(const Growth& change) {
  const bool grew = change.changed_ns >= change.usual_ns;
  std::string text =
      fmt::format("{} {} from {} to {} a step{}", row_name(change.row), grew ? "grew" : "shrank",
                  duration_text(change.usual_ns), duration_text(change.changed_ns),
                  change.ranks.empty() ? " on most ranks" : fmt::format(" on {}", ranks_in_words(change.ranks)));
  if (change.collective) {
    const ChangedCollective& one = *change.collective;
    text += fmt::format("; {}{} took {} instead of {}", name_of(one.operation),
                        one.bytes > 0 ? fmt::format(" of {:.3g} MB", static_cast<double>(one.bytes) / 1e6) : "",
                        duration_text(one.changed_ns), duration_text(one.usual_ns));
  }
  return text;
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
    const std::string steps = steps_in_words(outlier.steps);
    finding.title = fmt::format("{}{} {} {}, the others {}", static_cast<char>(std::toupper(steps.front())),
                                steps.substr(1), outlier.steps.size() == 1 ? "takes" : "take",
                                duration_text(outlier.changed_ns), duration_text(outlier.usual_ns));
    found.push_back(std::move(finding));
  }
  if (!metrics.steps.step_changes.change) return;
  const StepChange& change = *metrics.steps.step_changes.change;
  Finding finding(FindingId::kStepChange);
  add_evidence(change, metrics, finding);
  finding.title = fmt::format("Steps take {} from step {} on, {} before", duration_text(change.changed_ns),
                              change.steps.front(), duration_text(change.usual_ns));
  found.push_back(std::move(finding));
}

}  // namespace tauprof
