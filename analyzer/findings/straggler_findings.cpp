#include "findings/straggler_findings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "findings/rank_words.h"
#include "limits/analysis_limits.h"
#include "metrics/stragglers/straggler_groups.h"

namespace tauprof {
namespace {

std::string capitalised(std::string text) {
  text.front() = static_cast<char>(std::toupper(text.front()));
  return text;
}

std::string title_of(const StragglerGroup& group) {
  if (group.members.size() == 1) return fmt::format("Rank {} holds up the others", group.foremost->rank);
  if (group.is_one_step)
    return fmt::format("Rank {} and {} before it hold up the others", group.foremost->rank, group.members.size() - 1);
  const std::string ranks = capitalised(ranks_in_words(group.ranks()));
  return fmt::format("{}{} hold up the others", ranks, ranks.find(", every") == std::string::npos ? "" : ",");
}

std::string arrivals_of(const StragglerGroup& group) {
  const auto [least, most] =
      std::minmax_element(group.members.begin(), group.members.end(),
                          [](const Straggler* a, const Straggler* b) { return a->last_share < b->last_share; });
  if (group.members.size() == 1)
    return fmt::format("it arrived last at {:.0f} % of its collectives", 100 * (*most)->last_share);
  return fmt::format("each arrived last at {:.0f} to {:.0f} % of its collectives", 100 * (*least)->last_share,
                     100 * (*most)->last_share);
}

std::string evidence_of(const StragglerGroup& group, const RunFacts& facts, const RunMetrics& metrics) {
  const size_t all = metrics.steps.analysed.size();
  std::string text = fmt::format("the others waited {:.1f} ms for {} in {} of {} {}{}; ", group.blamed_ns / 1e6,
                                 group.members.size() == 1 ? "it" : "them", group.foremost->steps.size(), all,
                                 facts.is_by_time() ? "slice" : "step", all == 1 ? "" : "s");
  if (!group.is_one_step)
    return text +
           fmt::format("{}; cause: {}", arrivals_of(group), kCauseNames[static_cast<size_t>(group.foremost->cause)]);
  std::vector<int32_t> before = group.ranks();
  before.erase(std::find(before.begin(), before.end(), group.foremost->rank));
  return text + fmt::format("rank {} arrived last at {:.0f} % of its collectives, cause: {}; {} came late before it",
                            group.foremost->rank, 100 * group.foremost->last_share,
                            kCauseNames[static_cast<size_t>(group.foremost->cause)], ranks_in_words(before));
}

// What happened once or twice may be chance.
Severity most_severe(const StragglerGroup& group) {
  if (group.is_within_clock_bound()) return Severity::kInfo;
  return group.foremost->steps.size() < kFewestOfLevel ? Severity::kWarning : Severity::kCritical;
}

}  // namespace

void add_straggler_findings(const RunFacts& facts, const RunMetrics& metrics, std::vector<Finding>& found) {
  for (const StragglerGroup& group : straggler_groups(metrics.stragglers)) {
    const Severity at_most = most_severe(group);
    Finding finding{"straggler", std::min(severity_of(group.score), at_most), title_of(group)};
    finding.at_most = at_most;
    finding.evidence = evidence_of(group, facts, metrics);
    if (group.is_within_clock_bound())
      finding.evidence +=
          group.members.size() == 1 ? "; its clock may be wrong by as much" : "; their clocks may be wrong by as much";
    finding.ranks = group.ranks();
    finding.steps = group.foremost->steps;
    finding.cost_ns_per_step = group.cost_ns_per_step;
    finding.repair.kind = group.foremost->cause == Cause::kSlowLink ? RepairKind::kLinks : RepairKind::kAsPeers;
    finding.repair.ranks = finding.ranks;
    if (!group.foremost->is_persistent) finding.repair.steps = finding.steps;
    finding.where = metrics.where_of_stragglers[group.foremost - metrics.stragglers.found.data()].where;
    finding.advice = "Compare this rank's ledger with its peers' (per_rank) on the row that the cause names.";
    found.push_back(std::move(finding));
  }
}

}  // namespace tauprof
