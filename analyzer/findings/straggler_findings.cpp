#include "findings/straggler_findings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string_view>

#include "findings/duration_text.h"
#include "findings/finders.h"
#include "findings/rank_words.h"
#include "limits/analysis_limits.h"
#include "metrics/stragglers/straggler_groups.h"

namespace tauprof {
namespace {

// Of one rank, and of several.
struct CauseWords {
  std::string_view of_one;
  std::string_view of_several;
  std::string_view advice;
};

constexpr CauseWords kCauseWords[] = {
#define CAUSE(cause, name, of_one, of_several, advice) {of_one, of_several, advice},
#include "metrics/stragglers/causes.def"
#undef CAUSE
};

const CauseWords& words_of(Cause cause) { return kCauseWords[static_cast<size_t>(cause)]; }

std::string capitalised(std::string text) {
  text.front() = static_cast<char>(std::toupper(text.front()));
  return text;
}

std::string who_holds_up(const StragglerGroup& group) {
  if (group.members.size() == 1) return fmt::format("Rank {} holds up the others", group.foremost->rank);
  if (group.is_one_step)
    return fmt::format("Rank {} and {} before it hold up the others", group.foremost->rank, group.members.size() - 1);
  const std::string ranks = capitalised(ranks_in_words(group.ranks()));
  return fmt::format("{}{} hold up the others", ranks, ranks.find(", every") == std::string::npos ? "" : ",");
}

// " 82 % of its step": the row of the rank's own ledger that shows the cause; empty: none does, or only in some steps.
std::string own_share(const Straggler& straggler, const RunMetrics& metrics) {
  const std::optional<LedgerRow> row = row_of(straggler.cause);
  if (!row || !straggler.is_persistent) return "";
  for (const RankMetrics& rank : metrics.ranks) {
    if (rank.rank != straggler.rank || rank.step_ns <= 0) continue;
    const double share =
        static_cast<double>(rank.ledger.rows()[static_cast<size_t>(*row)]) / static_cast<double>(rank.step_ns);
    if (share >= kKnownShare) return fmt::format(" {:.0f} % of its step", 100 * share);
  }
  return "";
}

// "; the others wait 61 % of theirs": what of their steps is waiting that nothing hides, for whomever.
std::string share_of_others(const StragglerGroup& group, const RunMetrics& metrics) {
  if (group.foremost->is_suspect()) return "";
  const std::vector<int32_t> late = group.ranks();
  Nanoseconds waits = 0, time = 0;
  for (const RankMetrics& rank : metrics.ranks) {
    if (std::find(late.begin(), late.end(), rank.rank) != late.end()) continue;
    waits += rank.ledger.rows()[static_cast<size_t>(LedgerRow::kExposedCommWait)];
    time += rank.step_ns;
  }
  const double share = time > 0 ? static_cast<double>(waits) / static_cast<double>(time) : 0;
  return share < kKnownShare ? "" : fmt::format("; the others wait {:.0f} % of theirs", 100 * share);
}

std::string title_of(const StragglerGroup& group, const RunMetrics& metrics) {
  const CauseWords& words = words_of(group.foremost->cause);
  const bool is_one = group.members.size() == 1;
  const std::string_view cause = is_one || group.is_one_step ? words.of_one : words.of_several;
  const std::string share = is_one ? own_share(*group.foremost, metrics) : "";
  return who_holds_up(group) + (cause.empty() ? "" : fmt::format(": {}{}", cause, share)) +
         share_of_others(group, metrics);
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
  const size_t all = metrics.steps.selection.analysed.size();
  const std::string steps = fmt::format("in {} of {} {}{}", group.foremost->steps.size(), all,
                                        facts.is_by_time() ? "slice" : "step", all == 1 ? "" : "s");
  if (group.foremost->is_suspect())
    return fmt::format("{} {} more time than usual {}; replayed without that, the others' steps are shorter; cause: {}",
                       group.members.size() == 1 ? "it takes" : "together they take", duration_text(group.excess_ns),
                       steps, kCauseNames[static_cast<size_t>(group.foremost->cause)]);
  std::string text = fmt::format("the others waited {} for {} in sum, {}; ", duration_text(group.blamed_ns),
                                 group.members.size() == 1 ? "it" : "them", steps);
  if (!group.is_one_step)
    return text +
           fmt::format("{}; cause: {}", arrivals_of(group), kCauseNames[static_cast<size_t>(group.foremost->cause)]);
  std::vector<int32_t> before = group.ranks();
  before.erase(std::find(before.begin(), before.end(), group.foremost->rank));
  return text + fmt::format("rank {} arrived last at {:.0f} % of its collectives, cause: {}; {} came late before it",
                            group.foremost->rank, 100 * group.foremost->last_share,
                            kCauseNames[static_cast<size_t>(group.foremost->cause)], ranks_in_words(before));
}

std::string_view doubt_of(const StragglerGroup& group) {
  if (!group.is_within_clock_bound()) return "";
  return group.members.size() == 1 ? "; its clock may be wrong by as much" : "; their clocks may be wrong by as much";
}

// A delay that happened once or twice may be chance.
Severity most_severe(const StragglerGroup& group) {
  if (group.is_within_clock_bound()) return Severity::kInfo;
  return group.foremost->steps.size() < kFewestOfLevel ? Severity::kWarning : Severity::kCritical;
}

// Who launches more makes its host and its device busy.
Fault fault_of(Cause cause) {
  if (cause == Cause::kSlowCompute || cause == Cause::kThrottled) return Fault::kDevice;
  return is_of_host(cause) || cause == Cause::kCpuContention ? Fault::kHost : Fault::kAny;
}

}  // namespace

std::string_view cause_in_words(Cause cause) { return words_of(cause).of_one; }

Repair repair_of(const Straggler& straggler) {
  Repair repair;
  repair.kind = straggler.cause == Cause::kSlowLink ? RepairKind::kLinks : RepairKind::kAsPeers;
  repair.ranks = {straggler.rank};
  if (!straggler.is_persistent) repair.steps = straggler.steps;
  repair.are_windows = straggler.are_windows;
  repair.fault = fault_of(straggler.cause);
  repair.row = row_of(straggler.cause);
  return repair;
}

void add_straggler_findings(const RunFacts& facts, const RunMetrics& metrics, std::vector<Finding>& found) {
  for (const StragglerGroup& group : straggler_groups(metrics.stragglers)) {
    const Severity at_most = most_severe(group);
    Finding finding(FindingId::kStraggler, std::min(severity_of(group.score), at_most));
    finding.title = title_of(group, metrics);
    finding.at_most = at_most;
    finding.evidence = fmt::format("{}{}", evidence_of(group, facts, metrics), doubt_of(group));
    finding.ranks = group.ranks();
    finding.steps = group.foremost->steps;
    finding.tells = Tells::kWho;
    finding.cost_ns_per_step = group.cost_ns_per_step;
    finding.repair = repair_of(*group.foremost);
    finding.repair.ranks = finding.ranks;
    finding.is_why_unknown = group.foremost->cause == Cause::kUnknown;
    finding.where = group.foremost->where;
    if (const CauseWords& words = words_of(group.foremost->cause); !words.advice.empty()) finding.advice = words.advice;
    found.push_back(std::move(finding));
  }
}

}  // namespace tauprof
