#include "replay/silent_waits.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "limits/analysis_limits.h"
#include "metrics/statistics/statistics.h"

namespace tauprof {
namespace {

bool follow_the_device(const std::vector<SilentWait>& waits) {
  std::vector<Nanoseconds> lengths, delays;
  for (const SilentWait& wait : waits) {
    lengths.push_back(wait.silence.length());
    delays.push_back(wait.silence.end - wait.drained);
  }
  return spread(std::move(delays)) <= spread(std::move(lengths));
}

}  // namespace

bool SilentWaits::may_be(Interval silence, Nanoseconds drained) {
  return drained > silence.start && drained <= silence.end && silence.end - drained <= kEventNoticed;
}

std::vector<SilentWait> SilentWaits::take(size_t steps) {
  std::vector<SilentWait> found;
  for (auto& [place, waits] : waits_)
    if (is_as_much(waits.size(), steps) && follow_the_device(waits))
      std::move(waits.begin(), waits.end(), std::back_inserter(found));
  waits_.clear();
  return found;
}

}  // namespace tauprof
