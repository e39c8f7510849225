// How the clock of a rank relates to the run's clock, which is the clock of the run's first rank.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

#include "model/time.h"

namespace tauprof {

// How the relation is known.
enum class ClockBasis : uint8_t {
  kShared,       // the rank uses the first rank's clock
  kWallClock,    // from the hosts' wall clocks, which no collective contradicts
  kAssumed,      // not recorded: assumed to be the first rank's clock, which no collective contradicts
  kCollectives,  // estimated from collectives
  kUnknown,      // not known
};

struct ClockSegment {
  Interval time;          // on the rank's clock
  Nanoseconds shift = 0;  // to be added at time.start
  double drift = 0;       // to be added for each nanosecond after it
  // Limits that collectives prove: the true line is never further than `bound` from this one, which lies half-way
  // between the limits and need not be the most likely one. None: nothing limits it.
  struct Limits {
    Nanoseconds shift = 0;
    double drift = 0;
    Nanoseconds bound = 0;
  };
  std::optional<Limits> limits;
  Nanoseconds uncertainty = 0;  // how far the true line can be from shift and drift; 0 without limits
};

class ClockMap {
 public:
  ClockMap() : segments_(1) {}
  explicit ClockMap(Nanoseconds shift) : segments_(1) { segments_[0].shift = shift; }
  // `segments`: at least one, by time. Each holds until the next starts; the first one holds before its start, too.
  explicit ClockMap(std::vector<ClockSegment> segments) : segments_(std::move(segments)) {}

  Nanoseconds to_run(Nanoseconds local) const { return local + shift_at(segment_at(local), local); }
  Nanoseconds uncertainty_at(Nanoseconds local) const { return segment_at(local).uncertainty; }
  Nanoseconds uncertainty() const {
    Nanoseconds largest = 0;
    for (const ClockSegment& segment : segments_) largest = std::max(largest, segment.uncertainty);
    return largest;
  }
  // The largest bound of all segments; none if a segment has none.
  std::optional<Nanoseconds> bound() const {
    Nanoseconds largest = 0;
    for (const ClockSegment& segment : segments_) {
      if (!segment.limits) return std::nullopt;
      largest = std::max(largest, segment.limits->bound);
    }
    return largest;
  }
  const std::vector<ClockSegment>& segments() const { return segments_; }

 private:
  const ClockSegment& segment_at(Nanoseconds local) const {
    if (segments_.size() == 1) return segments_.front();
    const auto after = std::upper_bound(segments_.begin() + 1, segments_.end(), local,
                                        [](Nanoseconds time, const ClockSegment& s) { return time < s.time.start; });
    return *(after - 1);
  }
  static Nanoseconds shift_at(const ClockSegment& segment, Nanoseconds local) {
    if (segment.drift == 0) return segment.shift;
    return segment.shift + std::llround(segment.drift * static_cast<double>(local - segment.time.start));
  }

  std::vector<ClockSegment> segments_;
};

}  // namespace tauprof
