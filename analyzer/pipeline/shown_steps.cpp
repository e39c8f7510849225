#include "pipeline/shown_steps.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "limits/analysis_limits.h"

namespace tauprof {
namespace {

void add(std::vector<StepChoice>& chosen, int64_t number, const char* because) {
  for (StepChoice& step : chosen)
    if (step.number == number) {
      if (std::find(step.because.begin(), step.because.end(), because) == step.because.end())
        step.because.emplace_back(because);
      return;
    }
  if (chosen.size() < kMostShownSteps) chosen.push_back({number, {because}});
}

// By what a reader of the page looks for: those that findings name, then those that caused most waiting.
class RankInterest {
 public:
  explicit RankInterest(const Report& report) {
    for (const Finding& finding : report.findings) named_.insert(finding.ranks.begin(), finding.ranks.end());
    for (const RankBlame& rank : report.metrics.stragglers.ranks) caused_[rank.rank] = rank.total_ns();
  }
  bool is_before(int32_t a, int32_t b) const { return key(a) > key(b); }

 private:
  std::pair<bool, double> key(int32_t rank) const {
    const auto caused = caused_.find(rank);
    return {named_.count(rank) != 0, caused == caused_.end() ? 0 : caused->second};
  }

  std::set<int32_t> named_;
  std::map<int32_t, double> caused_;
};

std::set<int32_t> reported_ranks(const Report& report) {
  std::set<int32_t> reported;
  for (const RankMetrics& rank : report.metrics.ranks)
    if (rank.untimed_because.empty()) reported.insert(rank.rank);
  return reported;
}

}  // namespace

std::vector<StepChoice> choose_steps(const Report& report) {
  std::vector<StepDuration> steps;
  for (const StepDuration& step : report.metrics.steps.selection.analysed)
    if (step.device_ns) steps.push_back(step);
  if (steps.empty()) return {};
  const double median = report.metrics.steps.step_duration.median;
  const auto far_from_median = [&](const StepDuration& step) { return std::abs(*step.device_ns - median); };
  const auto typical = std::min_element(steps.begin(), steps.end(), [&](const StepDuration& a, const StepDuration& b) {
    return far_from_median(a) < far_from_median(b);
  });
  const auto slowest = std::max_element(steps.begin(), steps.end(), [](const StepDuration& a, const StepDuration& b) {
    return *a.device_ns < *b.device_ns;
  });
  std::vector<StepChoice> chosen;
  add(chosen, typical->number, "typical");
  add(chosen, slowest->number, "slowest");
  add(chosen, steps.back().number, "last");
  for (const Finding& finding : report.findings) {
    const auto is_shown = [&](int64_t number) {
      return std::any_of(chosen.begin(), chosen.end(), [&](const StepChoice& step) { return step.number == number; });
    };
    const auto has = [&](int64_t number) { return report.metrics.steps.selection.has(number); };
    if (std::any_of(finding.steps.begin(), finding.steps.end(), is_shown)) continue;
    const auto first = std::find_if(finding.steps.begin(), finding.steps.end(), has);
    if (first != finding.steps.end()) add(chosen, *first, "finding");
  }
  std::sort(chosen.begin(), chosen.end(), [](const StepChoice& a, const StepChoice& b) { return a.number < b.number; });
  return chosen;
}

std::vector<StepChoice> with_other_steps(std::vector<StepChoice> chosen, const Report& report, size_t most,
                                         size_t& left_out) {
  std::vector<StepDuration> others;
  for (const StepDuration& step : report.metrics.steps.selection.analysed) {
    const auto is_it = [&](const StepChoice& one) { return one.number == step.number; };
    if (step.device_ns && std::none_of(chosen.begin(), chosen.end(), is_it)) others.push_back(step);
  }
  const size_t room = most - std::min(most, chosen.size());
  left_out = others.size() - std::min(others.size(), room);
  if (left_out > 0) {
    std::stable_sort(others.begin(), others.end(),
                     [](const StepDuration& a, const StepDuration& b) { return *a.device_ns > *b.device_ns; });
    others.resize(room);
  }
  for (const StepDuration& step : others) chosen.push_back({step.number, {}});
  std::sort(chosen.begin(), chosen.end(), [](const StepChoice& a, const StepChoice& b) { return a.number < b.number; });
  return chosen;
}

std::vector<uint32_t> choose_ranks(const ReplayedRun& run, const Report& report, size_t& left_out) {
  const std::set<int32_t> reported = reported_ranks(report);
  std::vector<uint32_t> chosen;
  for (uint32_t i = 0; i < run.ranks.size(); ++i)
    if (reported.count(run.ranks[i].rank) != 0) chosen.push_back(i);
  left_out = chosen.size() > kMostShownRanks ? chosen.size() - kMostShownRanks : 0;
  if (left_out == 0) return chosen;
  const RankInterest interest(report);
  std::stable_sort(chosen.begin(), chosen.end(),
                   [&](uint32_t a, uint32_t b) { return interest.is_before(run.ranks[a].rank, run.ranks[b].rank); });
  chosen.resize(kMostShownRanks);
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

CausedWaiting caused_waiting(const Report& report) {
  CausedWaiting caused;
  const std::set<int32_t> reported = reported_ranks(report);
  std::vector<const RankBlame*> ranks;
  for (const RankBlame& rank : report.metrics.stragglers.ranks)
    if (reported.count(rank.rank) != 0) ranks.push_back(&rank);
  for (const StepDuration& step : report.metrics.steps.selection.analysed) caused.steps.push_back(step.number);
  const size_t most = std::min(kMostCausingRanks, kMostShownCells / std::max<size_t>(1, caused.steps.size()));
  if (ranks.size() > most) {
    const RankInterest interest(report);
    std::stable_sort(ranks.begin(), ranks.end(),
                     [&](const RankBlame* a, const RankBlame* b) { return interest.is_before(a->rank, b->rank); });
    caused.ranks_left_out = ranks.size() - most;
    ranks.resize(most);
    std::sort(ranks.begin(), ranks.end(), [](const RankBlame* a, const RankBlame* b) { return a->rank < b->rank; });
  }
  for (const RankBlame* const rank : ranks) {
    caused.ranks.push_back(rank->rank);
    std::vector<Nanoseconds>& row = caused.ns.emplace_back(caused.steps.size());
    for (const auto& [step, by_cause] : rank->by_step) row[step] = std::llround(rank->total_ns_in(step));
  }
  return caused;
}

}  // namespace tauprof
