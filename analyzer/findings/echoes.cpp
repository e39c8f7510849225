#include "findings/echoes.h"

#include <algorithm>

#include "findings/straggler_findings.h"
#include "limits/analysis_limits.h"
#include "replay/changes.h"
#include "replay/repair.h"

namespace tauprof {
namespace {

class Echoes {
 public:
  Echoes(RunGraph& run, const std::vector<Straggler>& found)
      : run_(run),
        found_(found),
        repairs_(run),
        kept_(found.size(), true) {
    for (const Straggler& straggler : found) no_examples_.insert(straggler.rank);
  }

  // For each straggler whether it is one by itself.
  std::vector<bool> find() {
    std::vector<size_t> repairable;
    for (size_t i = 0; i < found_.size(); ++i) {
      Changes alone(run_);
      if (apply(i, alone)) repairable.push_back(i);
    }
    if (repairable.size() < 2) return kept_;
    const double least = kStragglerShare * run_.mean_step(run_.measured());  // of what is blamed
    double all = saving_of(repairable, kNobody);
    const size_t last = repairable.size() > kMostEchoes ? repairable.size() - kMostEchoes : 0;
    for (size_t i = repairable.size(); i-- > last;) {
      const double without = saving_of(repairable, repairable[i]);
      if (all - without >= kOwnBlame * std::max(least, found_[repairable[i]].cost_ns_per_step)) continue;
      kept_[repairable[i]] = false;
      all = without;
    }
    return kept_;
  }

 private:
  static constexpr size_t kNobody = SIZE_MAX;

  bool apply(size_t straggler, Changes& changes) {
    return repairs_.apply(repair_of(found_[straggler]), no_examples_, changes).empty();
  }

  // With all that are kept repaired, but one.
  double saving_of(const std::vector<size_t>& repairable, size_t but) {
    Changes changes(run_);
    for (const size_t straggler : repairable)
      if (kept_[straggler] && straggler != but) apply(straggler, changes);
    return changes.saving();
  }

  RunGraph& run_;
  const std::vector<Straggler>& found_;  // the costliest first
  Repairs repairs_;
  std::set<int32_t> no_examples_;
  std::vector<bool> kept_;
};

}  // namespace

void drop_echoes(RunGraph& run, RunMetrics& metrics) {
  std::vector<Straggler>& found = metrics.stragglers.found;
  if (found.size() < 2 || !run.reason().empty()) return;
  const std::vector<bool> kept = Echoes(run, found).find();
  size_t next = 0;
  for (size_t i = 0; i < found.size(); ++i) {
    if (!kept[i]) continue;
    if (next != i) {
      found[next] = std::move(found[i]);
      metrics.where_of_stragglers[next] = std::move(metrics.where_of_stragglers[i]);
    }
    ++next;
  }
  found.resize(next);
  metrics.where_of_stragglers.resize(next);
  metrics.stragglers.pattern = pattern_of(found, metrics.steps.analysed.size());
}

}  // namespace tauprof
