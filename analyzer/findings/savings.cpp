#include "findings/savings.h"

#include <algorithm>
#include <set>

#include "findings/find_findings.h"
#include "findings/one_cause.h"
#include "limits/analysis_limits.h"
#include "replay/longer_step.h"
#include "replay/repair_words.h"

namespace tauprof {
namespace {

// A finding without a saving says why.
void explain_unpriced(std::vector<Finding>& findings) {
  for (Finding& finding : findings) {
    if (finding.saves_ns_per_step || !finding.saves_reason.empty()) continue;
    finding.saves_reason = finding.repair.reason;
    if (finding.saves_reason.empty())
      finding.saves_reason = "it is about no time of the steps that could be taken away";
  }
}

void price(const RunGraph& run, const Answer& answer, Finding& finding) {
  finding.saves_ns_per_step = shorter_by(run, *answer.step_ns);
  finding.rests_on = answer.rests_on;
  finding.saves_between.reset();
  if (const std::optional<Answer::Bounds> between = answer.between())
    finding.saves_between = {shorter_by(run, between->most_ns), shorter_by(run, between->least_ns)};
}

// A row of the ledger may be long on some ranks only because the others' own waiting is hidden behind theirs: a loader
// that is too slow everywhere shows on the rank that gets its batch last. Then the row is repaired on all ranks.
void widen_to_all_ranks(double step, const Faults& no_examples, Repairs& repairs, RunGraph& run, Finding& finding) {
  if (finding.repair.kind != RepairKind::kRow || finding.ranks.empty()) return;
  Repair of_all = finding.repair;
  of_all.ranks.clear();
  Changes changes(run);
  if (!repairs.apply(of_all, no_examples, changes).empty()) return;
  const Answer answer = answered(run, changes);
  if (!answer.step_ns) return;
  if (shorter_by(run, *answer.step_ns) - *finding.saves_ns_per_step < kAvoidableShare * step) return;
  finding.saves_there_ns_per_step = finding.saves_ns_per_step;
  price(run, answer, finding);
  finding.ranks.clear();
  finding.repair = of_all;
}

// Whether only the replay can tell that it is a finding, and it says that it is none.
bool is_too_small(const Finding& finding, double step) {
  if (finding.least_saving == 0) return false;
  return !finding.saves_ns_per_step || *finding.saves_ns_per_step < finding.least_saving * step;
}

// Some repairs save nothing by themselves, because something else delays the steps as long, and are worth it on top
// of the others: these stay. `all`: all others.
void drop_small(double step, const Faults& no_examples, Repairs& repairs, Changes& all,
                std::vector<Finding>& findings) {
  double together = all.saving();
  std::set<const Finding*> dropped;
  for (Finding& finding : findings) {
    if (!is_too_small(finding, step)) continue;
    Changes with = all;
    const bool is_known = repairs.apply(finding.repair, no_examples, with).empty();
    const double most = is_known ? with.saving() : 0;
    if (most - together < finding.least_saving * step) {
      dropped.insert(&finding);
      continue;
    }
    repairs.apply(finding.repair, no_examples, all);
    finding.saves_on_top_ns_per_step = most - together;
    together = most;
  }
  std::erase_if(findings, [&](const Finding& finding) { return dropped.contains(&finding); });
}

// Puts those that cost time first, the better before the others. A straggler whose repair gives nothing says so: others
// would have delayed the step as long.
void put_in_order(double step, std::vector<Finding>& findings) {
  for (Finding& finding : findings)
    finding.saves_nothing =
        finding.tells == Tells::kWho && finding.saves_ns_per_step && *finding.saves_ns_per_step < kLeastSaving * step;
  const auto priced = std::stable_partition(findings.begin(), findings.end(),
                                            [](const Finding& finding) { return finding.cost_ns_per_step > 0; });
  std::stable_sort(findings.begin(), priced, [&](const Finding& a, const Finding& b) { return is_better(a, b, step); });
  put_hangs_first(findings);
}

}  // namespace

Statement why_not_priced(const RunGraph& run, const std::optional<ReplayError>& error) {
  if (!run.reason().empty()) return run.reason();
  if (run.mean_step(run.measured()) <= 0) return "no steps are known";
  if (error && error->mean > kNoReplay) return "the replay does not hold for these steps, so no repair has a price";
  if (error && error->mean > kMostReplayError)
    return said("replayed steps are off by ", Share{error->mean}, ", too much to price repairs");
  return {};
}

Faults held_up_ranks(const std::vector<Finding>& findings) {
  Faults faults;
  for (const Finding& finding : findings)
    if (finding.repair.kind == RepairKind::kAsPeers)
      for (const int32_t rank : finding.ranks) add_fault(rank, finding.repair.fault, faults);
  return faults;
}

std::optional<ReplayError> error_of(const RunGraph& run, const Disturbance& disturbance) {
  if (disturbance.error) return ReplayError{*disturbance.error, *disturbance.error};
  return replay_error(run);
}

Savings price_findings(RunGraph& run, const std::vector<RankTimeline>& ranks, const Disturbance& disturbance,
                       std::vector<Finding>& findings) {
  Savings savings;
  if (run.reason().empty()) savings.error = error_of(run, disturbance);
  savings.is_predicted = disturbance.error.has_value();
  savings.contention_loss = run.contention().loss();
  if (run.reason().empty()) savings.explained_share = run.explained_share();
  savings.reason = why_not_priced(run, savings.error);
  if (!savings.reason.empty()) {
    std::erase_if(findings, [](const Finding& finding) { return finding.least_saving > 0; });
    for (Finding& finding : findings)
      if (finding.cost_ns_per_step > 0) {
        finding.saves_reason = savings.reason;
        finding.whatif = option_of(finding.repair);
      }
    explain_unpriced(findings);
    return savings;
  }
  Repairs repairs(run, ranks);
  const Faults no_examples = held_up_ranks(findings);
  const double step = savings.step_ns = run.mean_step(run.measured());
  for (Finding& finding : findings) {
    if (finding.cost_ns_per_step <= 0) continue;
    const Answer answer = repaired(
        run, [&](Changes& changes, Draw draw) { return repairs.apply(finding.repair, no_examples, changes, draw); });
    finding.saves_reason = answer.reason;
    if (!answer.step_ns) continue;
    price(run, answer, finding);
    widen_to_all_ranks(step, no_examples, repairs, run, finding);
    finding.severity = std::min(severity_of(*finding.saves_ns_per_step / step), finding.at_most);
  }
  for (Finding& finding : findings)
    if (finding.cost_ns_per_step > 0) finding.whatif = option_of(repairs.plain(finding.repair, no_examples));
  join_causes(no_examples, repairs, run, findings);
  tell_hidden_time(no_examples, repairs, run, findings);
  Changes all(run);
  for (const Finding& finding : findings)
    if (finding.saves_ns_per_step && !is_too_small(finding, step)) repairs.apply(finding.repair, no_examples, all);
  drop_small(step, no_examples, repairs, all, findings);
  const ContendedReplay repaired = all.replayed();
  savings.combined_ns_per_step = std::clamp(step - std::max(repaired.step_ns, all.slow_copies_ns()), 0.0, step);
  savings.combined_contention_ns_per_step = repaired.contention_ns;
  explain_unpriced(findings);
  put_in_order(step, findings);
  return savings;
}

}  // namespace tauprof
