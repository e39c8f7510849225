#include <fmt/format.h>

#include <utility>

#include "findings/duration_text.h"
#include "findings/finders.h"
#include "findings/rank_words.h"

namespace tauprof {

namespace {

std::string known_waiting(const RunMetrics& metrics) {
  Nanoseconds least = 0;
  for (const CollectiveMetrics& line : metrics.communication.collectives) least += line.wait_at_least_ns.value_or(0);
  if (least == 0) return {};
  return fmt::format("; in collectives with the others they waited {} at least, in sum",
                     duration_text(static_cast<double>(least)));
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

std::string without_log(const RunFacts& facts) {
  std::string text = fmt::format("; {} {} none", ranks_in_words(facts.missing_ranks),
                                 facts.missing_ranks.size() == 1 ? "has" : "have");
  const auto each = static_cast<size_t>(ranks_of_missing_hosts(facts));
  if (each == 0) return text;
  const size_t hosts = facts.missing_ranks.size() / each;
  return text + fmt::format(": {} with {} ranks, like those that have logs",
                            hosts == 1 ? std::string("a whole host") : fmt::format("{} whole hosts", hosts), each);
}

}  // namespace

void add_quality_findings(const RunFacts& facts, const RunMetrics& metrics, std::vector<Finding>& found) {
  const auto note = [&](FindingId id, std::string evidence) -> Finding& {
    Finding& finding = found.emplace_back(id, Severity::kWarning);
    finding.evidence = std::move(evidence);
    return finding;
  };
  if (!facts.missing_ranks.empty())
    note(FindingId::kMissingRanks, fmt::format("{} of {} ranks have a log{}{}", facts.ranks, facts.world_size,
                                               without_log(facts), known_waiting(metrics)));
  for (const auto& [reason, ranks] : facts.untimed_ranks) {
    Finding& finding = note(FindingId::kNoDeviceTimes, reason);
    if (static_cast<int32_t>(ranks.size()) == facts.ranks) continue;
    finding.title = "Some ranks have no device times";
    finding.ranks = ranks;
  }
  if (!metrics.communication.waits.clocks_agree || metrics.communication.waits.without_clocks > 0) {
    Finding& finding =
        note(FindingId::kClocks, metrics.communication.waits.clocks_agree
                                     ? fmt::format("{} collectives cannot be split for want of a common clock",
                                                   metrics.communication.waits.without_clocks)
                                     : fmt::format("{} collectives end on one rank before they start on another",
                                                   metrics.communication.waits.contradicting));
    if (metrics.communication.waits.clocks_agree) finding.title = "Some ranks' clocks are not known";
    if (metrics.communication.waits.by_length > 0)
      finding.advice =
          "Waits come from the lengths of kernels where all members need each other; others were not split.";
  }
  if (metrics.communication.waits.clocks_agree && metrics.communication.waits.ungrouped > 0)
    note(FindingId::kGroups, fmt::format("on {} communicators: their ranks are not one group, or their clocks differ",
                                         metrics.communication.waits.not_together));
  if (facts.dropped_total() > 0)
    note(FindingId::kDropped,
         fmt::format("{} of {} events", facts.dropped_total(), facts.dropped_total() + facts.events));
  if (facts.files_damaged > 0)
    note(FindingId::kDamaged, fmt::format("{} files, {} records lost", facts.files_damaged, facts.lost_records));
  if (!facts.steps_sources_agree) note(FindingId::kStepsDisagree, "not all ranks carry the same step markers");
}

}  // namespace tauprof
