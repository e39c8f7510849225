#include "findings/confirm_stragglers.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "findings/straggler_findings.h"
#include "limits/analysis_limits.h"
#include "replay/changes.h"
#include "replay/repair.h"

namespace tauprof {
namespace {

// Its link is only what is left to explain communication that took long, so it is nobody's unless a replay says so.
bool needs_confirmation(const Straggler& straggler) { return straggler.cause == Cause::kSlowLink; }

class Confirmation {
 public:
  // `candidates`: the costliest first, the first `found` of which others waited for. `steps`: analysed.
  Confirmation(RunGraph& run, const std::vector<RankTimeline>& ranks, std::vector<Straggler> candidates, size_t found,
               size_t steps)
      : run_(run),
        candidates_(std::move(candidates)),
        found_(found),
        steps_(steps),
        step_(run.mean_step(run.measured())),
        repairs_(run, ranks),
        kept_(candidates_.size(), true) {
    for (const Straggler& one : candidates_) add_fault(one.rank, repair_of(one).fault, no_examples_);
  }

  // Those that are stragglers by themselves.
  std::vector<Straggler> find() {
    std::vector<size_t> repairable;
    for (size_t i = 0; i < candidates_.size(); ++i) {
      Changes alone(run_);
      if (apply(i, alone))
        repairable.push_back(i);
      else
        kept_[i] = i < found_ && !needs_confirmation(candidates_[i]);
    }
    if (!repairable.empty()) try_each(repairable);
    std::vector<Straggler> kept;
    for (size_t i = 0; i < candidates_.size(); ++i)
      if (kept_[i]) kept.push_back(std::move(candidates_[i]));
    return kept;
  }

 private:
  static constexpr size_t kNobody = SIZE_MAX;

  void try_each(const std::vector<size_t>& repairable) {
    std::vector<double> all = steps_with(repairable, kNobody);
    const size_t most = candidates_.size() - found_ + kMostReplayed;
    const size_t last = repairable.size() > most ? repairable.size() - most : 0;
    for (size_t i = repairable.size(); i-- > last;) {
      std::vector<double> without = steps_with(repairable, repairable[i]);
      const double saving = without[repairable[i]] - all[repairable[i]];
      if (saving >= least(repairable[i])) {
        if (repairable[i] >= found_) candidates_[repairable[i]].set_cost(saving, step_, run_.rank_count(), steps_);
        continue;
      }
      kept_[repairable[i]] = false;
      all = std::move(without);
    }
  }

  double least(size_t candidate) const {
    const double share = kStragglerShare * step_;
    if (candidate >= found_) return share;
    return kOwnBlame * std::max(share, candidates_[candidate].cost_ns_per_step);
  }

  bool apply(size_t candidate, Changes& changes) {
    return repairs_.apply(repair_of(candidates_[candidate]), no_examples_, changes).empty();
  }

  // How long steps are with all that are kept repaired, but one; for each candidate. For those that others waited for
  // it is the mean step. A suspect has to lengthen the steps of others: if only its own are longer, it delays nobody.
  std::vector<double> steps_with(const std::vector<size_t>& repairable, size_t but) {
    Changes changes(run_);
    for (const size_t candidate : repairable)
      if (kept_[candidate] && candidate != but) apply(candidate, changes);
    const ContendedReplay replayed = changes.replayed();
    std::vector<double> lengths(candidates_.size(), replayed.step_ns);
    for (size_t i = found_; i < candidates_.size(); ++i)
      lengths[i] = run_.mean_step_of_others(replayed.schedule, candidates_[i].rank);
    return lengths;
  }

  RunGraph& run_;
  std::vector<Straggler> candidates_;
  const size_t found_, steps_;
  const double step_;  // the mean one, in ns
  Repairs repairs_;
  Faults no_examples_;
  std::vector<bool> kept_;
};

}  // namespace

StragglerReport confirmed_stragglers(RunGraph& run, const std::vector<RankTimeline>& ranks, const RunMetrics& metrics) {
  StragglerReport report = metrics.stragglers;
  const size_t found = report.found.size();
  const bool is_clear = found == 0 || (found == 1 && !needs_confirmation(report.found.front()));
  if (!run.reason().empty() || (is_clear && report.suspects.empty())) return report;
  std::vector<Straggler> candidates = report.found;
  const size_t suspects = std::min(report.suspects.size(), kMostReplayed);
  std::copy_n(report.suspects.begin(), suspects, std::back_inserter(candidates));
  const size_t steps = metrics.steps.selection.analysed.size();
  report.found = Confirmation(run, ranks, std::move(candidates), found, steps).find();
  report.pattern = pattern_of(report.found, steps);
  return report;
}

}  // namespace tauprof
