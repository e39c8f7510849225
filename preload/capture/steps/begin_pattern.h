// By what the begin of a step is recognised before it is launched: by the launches that lead to it.
//
// Learned from begins that a search has found: the shortest stretch of 1, 2, 4 … 256 launches, ending with the first of
// a step, that was found at such begins and nowhere else. Example, two launches: U C begins a step in
//   C F B U C F B U C F B U
// Steps that begin behind something else (an evaluation) have their own stretch of the same length. An evaluation may
// begin as a step does: where no length tells all begins from other launches, the one that is wrong least often is
// taken if that is seldom.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "capture/steps/launch_history.h"

namespace tauprof::capture {

class BeginPattern {
 public:
  // `begins`: turns of first launches, rising; of `history` from the turn `from` on all begins are among them.
  void learn(const LaunchHistory& history, const uint64_t* begins, size_t count, uint64_t from, uint64_t until);
  // Whether a step begins with the launch that took this turn.
  bool fits(const LaunchHistory& history, uint64_t turn) const { return count_ > 0 && has(history, turn + 1); }
  bool is_known() const { return count_ > 0; }

 private:
  static constexpr size_t kMostPaths = 32;
  // `behind`: the turn behind the stretch.
  bool has(const LaunchHistory& history, uint64_t behind) const;
  bool gather(const LaunchHistory& history, const uint64_t* begins, size_t count);
  size_t count_elsewhere(const LaunchHistory& history, const uint64_t* begins, size_t count, uint64_t from,
                         uint64_t until) const;

  uint32_t length_log2_ = 0;
  size_t count_ = 0;  // 0: nothing tells begins from other launches
  uint64_t paths_[kMostPaths] = {};
};

}  // namespace tauprof::capture
