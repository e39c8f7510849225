// The updates that complete rounds (step_rounds/step_rounds.h), with hindsight.
//
// The whole log tells what a recorder in the middle of the program cannot know: an optimizer that was constructed
// before the log begins is waited for from the start, one that never steps is not waited for, and neither is one that
// has stepped for the last time: at the end of the log the others have stepped without it more often than ever before.
// Example, a and b take turns, then b is done: a b a b a a a gives the rounds ab ab a a a.
#pragma once

#include <cstdint>
#include <vector>

namespace tauprof {

struct OptimizerEvent {
  uint64_t optimizer = 0;
  bool is_update = false;  // else it is constructed
};

// For each event: whether it is an update that completes a round.
std::vector<bool> completed_rounds(const std::vector<OptimizerEvent>& events);

}  // namespace tauprof
