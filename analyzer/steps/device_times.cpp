#include "steps/device_times.h"

#include <algorithm>

namespace tauprof {

log::DeviceTimesState device_times_in(const ProcessTrace& trace, Interval step) {
  const std::vector<DeviceTimesChange>& changes = trace.device_times;
  const auto next = std::upper_bound(changes.begin(), changes.end(), step.start,
                                     [](Nanoseconds at, const DeviceTimesChange& one) { return at < one.time; });
  if (next == changes.begin()) return log::DeviceTimesState::kUnknown;
  log::DeviceTimesState state = (next - 1)->state;
  for (auto change = next; change != changes.end() && change->time < step.end; ++change) {
    const bool is_later = change->time - step.start > step.end - change->time;
    if (change->step >= 0 && is_later) break;
    if (change->step >= 0)
      state = change->state;
    else if (change->state != state)
      return log::DeviceTimesState::kUnknown;
  }
  return state;
}

std::vector<Interval> times_without_device_times(const ProcessTrace& trace) {
  std::vector<Interval> times;
  const std::vector<DeviceTimesChange>& changes = trace.device_times;
  for (size_t i = 0; i < changes.size(); ++i) {
    if (changes[i].state == log::DeviceTimesState::kTaken) continue;
    const Nanoseconds end = i + 1 < changes.size() ? changes[i + 1].time : INT64_MAX;
    if (!times.empty() && times.back().end == changes[i].time)
      times.back().end = end;
    else
      times.push_back({changes[i].time, end});
  }
  return times;
}

}  // namespace tauprof
