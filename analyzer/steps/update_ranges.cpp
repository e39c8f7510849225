#include "steps/update_ranges.h"

#include <algorithm>
#include <string_view>

namespace tauprof {
namespace {

constexpr std::string_view kOptimizerStep = "Optimizer.step";

}  // namespace

UpdateRanges::UpdateRanges(const ProcessTrace& trace) : of_thread_(trace.threads.size()) {
  for (const HostRange& range : trace.ranges)
    if (trace.names[range.name].starts_with(kOptimizerStep)) of_thread_[range.thread].push_back({range.start, range.end});
  for (std::vector<Interval>& ranges : of_thread_) {
    std::sort(ranges.begin(), ranges.end(), [](const Interval& a, const Interval& b) { return a.start < b.start; });
    for (size_t i = 1; i < ranges.size(); ++i) ranges[i].end = std::max(ranges[i].end, ranges[i - 1].end);
  }
}

bool UpdateRanges::has(uint16_t thread, Nanoseconds time) const {
  const std::vector<Interval>& ranges = of_thread_[thread];
  const auto behind = std::upper_bound(ranges.begin(), ranges.end(), time,
                                       [](Nanoseconds at, const Interval& range) { return at < range.start; });
  return behind != ranges.begin() && time < std::prev(behind)->end;
}

}  // namespace tauprof
