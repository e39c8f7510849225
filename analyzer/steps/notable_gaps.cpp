#include "steps/notable_gaps.h"

#include <algorithm>
#include <utility>

#include "limits/analysis_limits.h"

namespace tauprof {

NotableGaps::NotableGaps(const ProcessTrace& trace, std::string_view scope) {
  std::vector<Interval> gaps;
  for (const RecordingGap& gap : trace.quality.gaps)
    if (scope.empty() || gap.scope == scope) gaps.push_back(gap.time);
  set(std::move(gaps));
}

NotableGaps::NotableGaps(std::vector<Interval> gaps) { set(std::move(gaps)); }

void NotableGaps::set(std::vector<Interval> gaps) {
  std::erase_if(gaps, [](const Interval& gap) { return gap.length() <= kClockReading; });
  gaps_ = std::move(gaps);
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
