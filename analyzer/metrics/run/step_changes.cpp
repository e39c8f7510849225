#include "metrics/run/step_changes.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "limits/analysis_limits.h"

namespace tauprof {
namespace {

using Iterator = std::vector<double>::const_iterator;

double median(Iterator begin, Iterator end) {
  std::vector<double> values(begin, end);
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

double distances(Iterator begin, Iterator end, double from) {
  double sum = 0;
  for (auto value = begin; value != end; ++value) sum += std::abs(*value - from);
  return sum;
}

}  // namespace

size_t changed_from(const std::vector<double>& durations) {
  if (durations.size() < kWarmupMinimumSteps) return 0;
  const auto begin = durations.begin(), end = durations.end();
  size_t best = 0;
  double least = distances(begin, end, median(begin, end));
  for (size_t cut = 1; cut < durations.size(); ++cut) {
    const auto at = begin + static_cast<std::ptrdiff_t>(cut);
    const double sum = distances(begin, at, median(begin, at)) + distances(at, end, median(at, end));
    if (sum >= least) continue;
    least = sum;
    best = cut;
  }
  if (best < kFewestOfLevel || durations.size() - best < kFewestOfLevel) return 0;
  const auto at = begin + static_cast<std::ptrdiff_t>(best);
  const double before = median(begin, at), after = median(at, end), middle = (before + after) / 2;
  if (std::max(before, after) < kChangedStep * std::min(before, after)) return 0;
  const auto is_high = [=](double duration) { return duration > middle; };
  const auto high = static_cast<size_t>(std::count_if(begin, at, is_high));
  const auto later = static_cast<size_t>(std::count_if(at, end, is_high));
  const size_t astray = after > before ? high + durations.size() - best - later : best - high + later;
  return static_cast<double>(astray) <= kMostAstray * static_cast<double>(durations.size()) ? best : 0;
}

namespace {

class ChangeSearch {
 public:
  ChangeSearch(const std::vector<const RankTimeline*>& ranks, const StepSelection& steps) : growth_(ranks, steps) {
    for (const StepDuration& step : steps.analysed) {
      if (!step.device_ns) continue;
      numbers_.push_back(step.number);
      durations_.push_back(*step.comparable_ns());
    }
  }

  StepChanges find() {
    StepChanges found;
    const size_t cut = changed_from(durations_), n = durations_.size();
    find_outliers(0, cut == 0 ? n : cut, found.outliers);
    if (cut == 0) return found;
    find_outliers(cut, n, found.outliers);
    found.change = describe(between(cut, n), between(0, cut));
    return found;
  }

 private:
  std::vector<size_t> between(size_t first, size_t last) const {
    std::vector<size_t> steps;
    for (size_t i = first; i < last; ++i)
      if (is_outlier_.count(i) == 0) steps.push_back(i);
    return steps;
  }

  void find_outliers(size_t first, size_t last, std::vector<StepChange>& found) {
    if (last - first < kFewestOfLevel) return;
    const double usual = median(durations_.begin() + static_cast<std::ptrdiff_t>(first),
                                durations_.begin() + static_cast<std::ptrdiff_t>(last));
    std::vector<size_t> odd;
    for (size_t i = first; i < last; ++i)
      if (durations_[i] > kOddStep * usual) odd.push_back(i);
    // More of them would be another kind of step.
    if (static_cast<double>(odd.size()) > kMostOdd * static_cast<double>(last - first)) return;
    is_outlier_.insert(odd.begin(), odd.end());
    const std::vector<size_t> others = between(first, last);
    std::map<std::pair<LedgerRow, std::vector<int32_t>>, std::vector<size_t>> alike;
    for (const size_t step : odd) {
      const StepChange one = describe({step}, others);
      alike[{one.grew.row, one.grew.ranks}].push_back(step);
    }
    for (const auto& [what, steps] : alike) found.push_back(describe(steps, others));
  }

  StepChange describe(const std::vector<size_t>& steps, const std::vector<size_t>& others) const {
    StepChange change;
    std::vector<double> usual;
    for (const size_t step : others) usual.push_back(durations_[step]);
    change.usual_ns = median(usual.begin(), usual.end());
    std::set<int64_t> changed, unchanged;
    for (const size_t step : steps) {
      change.steps.push_back(numbers_[step]);
      change.changed_ns += durations_[step] / static_cast<double>(steps.size());
      changed.insert(numbers_[step]);
    }
    for (const size_t step : others) unchanged.insert(numbers_[step]);
    change.grew = growth_.between(changed, unchanged, change.changed_ns - change.usual_ns);
    return change;
  }

  StepGrowth growth_;
  std::vector<int64_t> numbers_;
  std::vector<double> durations_;
  std::set<size_t> is_outlier_;  // by index of the step
};

}  // namespace

StepChanges step_changes(const std::vector<const RankTimeline*>& ranks, const StepSelection& steps) {
  return ChangeSearch(ranks, steps).find();
}

}  // namespace tauprof
