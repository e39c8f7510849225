#include "findings/quality_findings.h"

#include <fmt/format.h>

#include <utility>

#include "findings/duration_text.h"
#include "findings/rank_words.h"

namespace tauprof {

namespace {

std::string known_waiting(const RunMetrics& metrics) {
  Nanoseconds least = 0;
  for (const CollectiveMetrics& line : metrics.collectives) least += line.wait_at_least_ns.value_or(0);
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
  const auto note = [&](const char* id, std::string title, std::string evidence, std::string advice) {
    Finding& finding = found.emplace_back(Finding{id, Severity::kWarning, std::move(title), std::move(evidence)});
    finding.advice = std::move(advice);
  };
  if (!facts.missing_ranks.empty())
    note("missing-ranks", "Logs of some ranks are missing",
         fmt::format("{} of {} ranks have a log{}{}", facts.ranks, facts.world_size, without_log(facts),
                     known_waiting(metrics)),
         "Waits and stragglers need the logs of all ranks in one directory.");
  for (const auto& [reason, ranks] : facts.untimed_ranks) {
    const bool is_all = static_cast<int32_t>(ranks.size()) == facts.ranks;
    note("no-device-times", is_all ? "No device times were recorded" : "Some ranks have no device times", reason,
         "Steps, phases and calls are the host's; nothing is said about the devices. docs/device-times.md tells where "
         "device times come from.");
    if (!is_all) found.back().ranks = ranks;
  }
  if (!metrics.waits.clocks_agree || metrics.waits.without_clocks > 0)
    note("clocks", metrics.waits.clocks_agree ? "Some ranks' clocks are not known" : "The ranks' clocks do not agree",
         metrics.waits.clocks_agree
             ? fmt::format("{} collectives cannot be split for want of a common clock", metrics.waits.without_clocks)
             : fmt::format("{} collectives end on one rank before they start on another", metrics.waits.contradicting),
         metrics.waits.by_length > 0
             ? "Waits come from the lengths of kernels where all members need each other; others were not split."
             : "Waits were not split from transfers and nobody was blamed.");
  if (metrics.waits.clocks_agree && metrics.waits.ungrouped > 0)
    note("groups", "Collectives that should end together do not",
         fmt::format("on {} communicators: their ranks are not one group, or their clocks differ",
                     metrics.waits.not_together),
         "Their waits were not split. Traces of newer PyTorch name the process groups; logs of one host share a "
         "clock.");
  if (facts.dropped_total() > 0)
    note("dropped", "Records were dropped while recording",
         fmt::format("{} of {} events", facts.dropped_total(), facts.dropped_total() + facts.events),
         "Raise TAUPROF_BUFFER_MB or narrow TAUPROF_CAPTURE.");
  if (facts.files_damaged > 0)
    note("damaged", "Some logs are damaged",
         fmt::format("{} files, {} records lost", facts.files_damaged, facts.lost_records),
         "tauprof check names them; everything outside the damage was used.");
  if (!facts.steps_sources_agree)
    note("steps-disagree", "Ranks mark their steps in different ways", "not all ranks carry the same step markers",
         "Compare steps across ranks with care.");
}

}  // namespace tauprof
