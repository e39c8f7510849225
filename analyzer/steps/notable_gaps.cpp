#include "steps/notable_gaps.h"

#include <algorithm>

#include "limits/analysis_limits.h"

namespace tauprof {

NotableGaps::NotableGaps(const ProcessTrace& trace, std::string_view scope) {
  for (const RecordingGap& gap : trace.quality.gaps)
    if (gap.time.length() > kClockReading && (scope.empty() || gap.scope == scope)) gaps_.push_back(gap.time);
  std::sort(gaps_.begin(), gaps_.end(), [](const Interval& a, const Interval& b) { return a.start < b.start; });
  for (size_t i = 1; i < gaps_.size(); ++i) gaps_[i].end = std::max(gaps_[i].end, gaps_[i - 1].end);
}

bool NotableGaps::overlap(Nanoseconds start, Nanoseconds end) const {
  if (end - start <= kClockReading) return false;
  const auto behind = std::lower_bound(gaps_.begin(), gaps_.end(), end - kClockReading,
                                       [](const Interval& gap, Nanoseconds time) { return gap.start < time; });
  if (behind == gaps_.begin()) return false;
  const Interval& last = *(behind - 1);  // its end is the latest of all gaps up to it
  return last.start > start || last.end > start + kClockReading;
}

std::optional<Nanoseconds> NotableGaps::last_end(Nanoseconds start, Nanoseconds end) const {
  std::optional<Nanoseconds> last;
  for (const Interval& gap : gaps_)
    if (gap.end >= start && gap.end <= end) last = std::max(last.value_or(gap.end), gap.end);
  return last;
}

}  // namespace tauprof
