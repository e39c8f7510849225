#include "replay/chosen_steps.h"

#include <algorithm>

namespace tauprof {

ChosenSteps::ChosenSteps(const RunGraph& run, size_t rank, const std::vector<int64_t>& steps, bool are_windows)
    : run_(run), steps_(steps.begin(), steps.end()), are_windows_(are_windows) {
  const Schedule<Nanoseconds>& measured = run.measured();
  for (const GraphStep& step : run.steps(rank))
    if (steps_.contains(step.number)) windows_.push_back(step.in(measured));
}

bool ChosenSteps::has(OperationId operation, int64_t step) const {
  const bool is_host = is_on_host(run_.kind(operation));
  if (steps_.empty() || (steps_.contains(step) && !(is_host && are_windows_))) return true;
  if (!is_host) return false;
  const auto [start, end] = run_.measured()[operation];
  const auto after = std::upper_bound(windows_.begin(), windows_.end(), start,
                                      [](Nanoseconds time, Interval window) { return time < window.start; });
  if (after != windows_.begin() && start < (after - 1)->end) return true;
  return are_windows_ && after != windows_.end() && after->start < end;
}

}  // namespace tauprof
