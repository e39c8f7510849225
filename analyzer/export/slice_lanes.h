// Puts slices of time on lanes, because a track of a timeline holds only slices that follow or enclose each other.
//
// Example, flat: 0–10, 5–20, 10–15 are on lanes 0, 1, 0. Nested: 0–10, 2–5, 4–12 are on lanes 0, 0, 1.
#pragma once

#include <cstddef>
#include <vector>

#include "model/time.h"

namespace tauprof {

enum class LaneKind { kFlat, kNested };

// `Close` is called with (lane, end) for each slice that is over, in an order in which slices of a lane nest.
class SliceLanes {
 public:
  explicit SliceLanes(LaneKind kind) : kind_(kind) {}

  // Slices come by start, and of several with one start the longest first. Returns the slice's lane, after all
  // slices of it that are over are closed.
  template <class Close>
  size_t add(Interval slice, Close&& close) {
    for (size_t lane = 0;; ++lane) {
      if (lane == open_.size()) open_.emplace_back();
      std::vector<Nanoseconds>& ends = open_[lane];
      close_until(slice.start, lane, close);
      const bool fits = ends.empty() || (kind_ == LaneKind::kNested && ends.back() >= slice.end);
      if (!fits) continue;
      ends.push_back(slice.end);
      return lane;
    }
  }
  template <class Close>
  void finish(Close&& close) {
    for (size_t lane = 0; lane < open_.size(); ++lane)
      for (; !open_[lane].empty(); open_[lane].pop_back()) close(lane, open_[lane].back());
  }

 private:
  template <class Close>
  void close_until(Nanoseconds time, size_t lane, Close& close) {
    std::vector<Nanoseconds>& ends = open_[lane];
    for (; !ends.empty() && ends.back() <= time; ends.pop_back()) close(lane, ends.back());
  }

  LaneKind kind_;
  std::vector<std::vector<Nanoseconds>> open_;  // of each lane, the ends of its open slices, from the outermost
};

}  // namespace tauprof
