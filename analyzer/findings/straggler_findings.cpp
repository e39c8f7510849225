#include "findings/straggler_findings.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "findings/finders.h"
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

Statement who_holds_up(const StragglerGroup& group) {
  if (group.members.size() == 1) return said("Rank ", group.foremost->rank, " delays the others");
  if (group.is_one_step)
    return said("Rank ", group.foremost->rank, " and ",
                Count{static_cast<double>(group.members.size() - 1), "rank", "ranks"}, " before it delay the others");
  return said(Ranks{group.ranks(), true}, " delay the others");
}

// " 82 % of its step": the row of the rank's own ledger that shows the cause; empty: none does, or only in some steps.
Statement own_share(const Straggler& straggler, const RunMetrics& metrics) {
  const std::optional<LedgerRow> row = row_of(straggler.cause);
  if (!row || !straggler.is_persistent) return {};
  for (const RankMetrics& rank : metrics.ranks) {
    if (rank.rank != straggler.rank || rank.step_ns <= 0) continue;
    const double share =
        static_cast<double>(rank.ledger.rows()[static_cast<size_t>(*row)]) / static_cast<double>(rank.step_ns);
    if (share >= kKnownShare) return said(" ", Share{share, 0}, " of its step");
  }
  return {};
}

// "the others wait 61 % of theirs": for these ranks, and hidden by nothing.
Statement share_of_others(const StragglerGroup& group, const RunMetrics& metrics) {
  if (group.foremost->is_suspect()) return {};
  const double step = metrics.steps.step_duration.mean;
  const double share = step > 0 ? group.cost_ns_per_step / step : 0;
  return share < kKnownShare ? Statement() : said("the others wait ", Share{share, 0}, " of theirs");
}

Statement title_of(const StragglerGroup& group, const RunMetrics& metrics) {
  const CauseWords& words = words_of(group.foremost->cause);
  const bool is_one = group.members.size() == 1;
  const std::string_view cause = is_one || group.is_one_step ? words.of_one : words.of_several;
  Statement title = who_holds_up(group);
  if (!cause.empty()) title.add(": ", cause, is_one ? own_share(*group.foremost, metrics) : Statement());
  return title.also(share_of_others(group, metrics));
}

Statement arrivals_of(const StragglerGroup& group) {
  const auto [least, most] =
      std::minmax_element(group.members.begin(), group.members.end(),
                          [](const Straggler* a, const Straggler* b) { return a->last_share < b->last_share; });
  const auto percent = [](const Straggler* one) { return std::round(100 * one->last_share); };
  const Statement from =
      percent(*least) == percent(*most) ? Statement() : said(Reading{100 * (*least)->last_share, "", 0}, " to ");
  return said(group.members.size() == 1 ? "it" : "each", " arrived last at ", from, Share{(*most)->last_share, 0},
              " of its collectives");
}

// For a group of stragglers of which one arrived last: that rank and its cause, and who came late before it.
Statement arrivals_in_turn(const StragglerGroup& group, std::string_view cause) {
  std::vector<int32_t> before = group.ranks();
  before.erase(std::find(before.begin(), before.end(), group.foremost->rank));
  return said("rank ", group.foremost->rank, " arrived last at ", Share{group.foremost->last_share, 0},
              " of its collectives, cause: ", cause, "; ", Ranks{before}, " came late before it");
}

Statement evidence_of(const StragglerGroup& group, const RunFacts& facts, const RunMetrics& metrics) {
  const size_t all = metrics.steps.selection.analysed.size();
  const bool is_by_time = facts.is_by_time(), is_one = group.members.size() == 1;
  const std::string_view cause = kCauseNames[static_cast<size_t>(group.foremost->cause)];
  const Statement steps =
      said("in ", group.foremost->steps.size(), " of ",
           Count{static_cast<double>(all), is_by_time ? "slice" : "step", is_by_time ? "slices" : "steps"});
  if (group.foremost->is_suspect())
    return said(is_one ? "it takes " : "together they take ", Duration{group.excess_ns}, " more time than usual ",
                steps, "; replayed without that, the others' steps are shorter; cause: ", cause);
  return said("the others waited ", Duration{group.blamed_ns}, is_one ? " for it" : " for them", " in sum, ", steps,
              "; ", group.is_one_step ? arrivals_in_turn(group, cause) : said(arrivals_of(group), "; cause: ", cause));
}

Statement doubt_of(const StragglerGroup& group) {
  if (!group.is_within_clock_bound()) return {};
  return group.members.size() == 1 ? "its clock may be wrong by as much" : "their clocks may be wrong by as much";
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
    finding.evidence = evidence_of(group, facts, metrics).also(doubt_of(group));
    finding.ranks = group.ranks();
    finding.steps = group.foremost->steps;
    finding.tells = Tells::kWho;
    finding.cost_ns_per_step = group.cost_ns_per_step;
    finding.repair = repair_of(*group.foremost);
    finding.repair.ranks = finding.ranks;
    finding.is_why_unknown = group.foremost->cause == Cause::kUnknown;
    finding.where = group.foremost->where;
    if (const CauseWords& words = words_of(group.foremost->cause); !words.advice.empty()) finding.advice = words.advice;
    if (const std::optional<LedgerRow> row = row_of(group.foremost->cause); row && finding.where.empty())
      finding.advice = said(how_to_find_the_line(*row, facts, metrics), finding.advice);
    found.push_back(std::move(finding));
  }
}

}  // namespace tauprof
