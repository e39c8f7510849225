#include <utility>

#include "findings/finders.h"

namespace tauprof {

namespace {

Statement known_waiting(const RunMetrics& metrics) {
  Nanoseconds least = 0;
  for (const CollectiveMetrics& line : metrics.communication.collectives) least += line.wait_at_least_ns.value_or(0);
  if (least == 0) return {};
  return said("in collectives with the others they waited ", Duration{static_cast<double>(least)}, " at least, in sum");
}

// Whether the ranks without a log are all ranks of some hosts, as far as the hosts with logs tell: these have equally
// many ranks each, in blocks.
int32_t ranks_of_missing_hosts(const RunFacts& facts) {
  const auto hosts = static_cast<int32_t>(facts.hosts.size());
  const int32_t each = hosts != 0 && facts.ranks % hosts == 0 ? facts.ranks / hosts : 0;
  const auto missing = static_cast<int32_t>(facts.missing_ranks.size());
  if (each < 2 || missing % each != 0) return 0;
  for (int32_t i = 0; i < missing; ++i) {
    const int32_t first = facts.missing_ranks[static_cast<size_t>(i - i % each)];
    if (first % each != 0 || facts.missing_ranks[static_cast<size_t>(i)] != first + i % each) return 0;
  }
  return each;
}

Statement without_log(const RunFacts& facts) {
  Statement text = said(Ranks{facts.missing_ranks}, facts.missing_ranks.size() == 1 ? " has none" : " have none");
  const auto each = static_cast<size_t>(ranks_of_missing_hosts(facts));
  if (each == 0) return text;
  const size_t hosts = facts.missing_ranks.size() / each;
  return text.add(": ", hosts == 1 ? said("a whole host") : said(hosts, " whole hosts"), " with ", each,
                  " ranks, like those that have logs");
}

}  // namespace

void add_quality_findings(const RunFacts& facts, const RunMetrics& metrics, std::vector<Finding>& found) {
  const auto note = [&](FindingId id, Statement evidence) -> Finding& {
    Finding& finding = found.emplace_back(id, Severity::kWarning);
    finding.evidence = std::move(evidence);
    return finding;
  };
  if (!facts.missing_ranks.empty())
    note(FindingId::kMissingRanks, said(facts.ranks, " of ", facts.world_size, " ranks have a log")
                                       .also(without_log(facts))
                                       .also(known_waiting(metrics)));
  for (const auto& [reason, ranks] : facts.untimed_ranks) {
    Finding& finding = note(FindingId::kNoDeviceTimes, reason);
    if (static_cast<int32_t>(ranks.size()) == facts.ranks) continue;
    finding.title = "Some ranks have no device times";
    finding.ranks = ranks;
  }
  if (!metrics.communication.waits.clocks_agree || metrics.communication.waits.without_clocks > 0) {
    Finding& finding =
        note(FindingId::kClocks, metrics.communication.waits.clocks_agree
                                     ? said(metrics.communication.waits.without_clocks,
                                            " collectives cannot be split for want of a common clock")
                                     : said(metrics.communication.waits.contradicting,
                                            " collectives end on one rank before they start on another"));
    if (metrics.communication.waits.clocks_agree) finding.title = "Some ranks' clocks are not known";
    if (metrics.communication.waits.by_length > 0)
      finding.advice =
          "Waits come from the lengths of kernels where all members need each other; others were not split.";
  }
  if (metrics.communication.waits.clocks_agree && metrics.communication.waits.ungrouped > 0)
    note(FindingId::kGroups, said("on ", metrics.communication.waits.not_together,
                                  " communicators: their ranks are not one group, or their clocks differ"));
  if (facts.dropped_total() > 0)
    note(FindingId::kDropped, said(facts.dropped_total(), " of ", facts.dropped_total() + facts.events, " events"));
  if (facts.files_damaged > 0)
    note(FindingId::kDamaged, said(facts.files_damaged, " files, ", facts.lost_records, " records lost"));
  if (!facts.steps_sources_agree) note(FindingId::kStepsDisagree, "not all ranks carry the same step markers");
}

}  // namespace tauprof
