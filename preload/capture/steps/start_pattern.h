// Recognises the start of a step at its first launch, by the launches that lead to it.
//
// Learned from the step starts that a search found: the shortest path of 1, 2, 4 … 256 launches, ending with the first
// launch of a step, that occurs at such starts and nowhere else. Example with two launches: U C starts a step in
//   C F B U C F B U C F B U
// Steps that start after something else (an evaluation) have their own path of the same length. An evaluation may
// start like a step. Where no length tells all step starts from other launches, the length that is wrong least often is
// taken, if it is seldom wrong.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "capture/steps/launch_history.h"

namespace tauprof::capture {

class StartPattern {
 public:
  // `starts`: the ordinals of steps' first launches, rising. They include every step start of `history` in [from,
  // until).
  void learn(const LaunchHistory& history, const uint64_t* starts, size_t count, uint64_t from, uint64_t until);
  // Whether a step starts with the launch of this ordinal.
  bool fits(const LaunchHistory& history, uint64_t ordinal) const { return count_ > 0 && has(history, ordinal + 1); }
  bool is_known() const { return count_ > 0; }

 private:
  static constexpr size_t kMostPaths = 32;
  // `end`: the ordinal after the path.
  bool has(const LaunchHistory& history, uint64_t end) const;
  bool gather(const LaunchHistory& history, const uint64_t* starts, size_t count);
  size_t count_elsewhere(const LaunchHistory& history, const uint64_t* starts, size_t count, uint64_t from,
                         uint64_t until) const;

  uint32_t length_log2_ = 0;
  size_t count_ = 0;  // 0: nothing tells step starts from other launches
  uint64_t paths_[kMostPaths] = {};
};

}  // namespace tauprof::capture
