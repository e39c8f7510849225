// When the main thread resumed after backward passes.
//
// The main thread sleeps while another thread launches backward, and nothing marks its waking. On a busy host waking
// may take longer than the pass. That time belongs to the pass, not to what the main thread does next. The thread's CPU
// clock, which the recorder reads after long pauses (c), tells how long it had been running at its next call:
//
//     main      |c|····ran····|launch|··|                        |·····ran·····|c|launch of the update
//     autograd                          |launches of backward|
//
// The CPU time between two readings, minus what it ran up to its last call before the pass, is what it ran just before
// the second reading. Up to that last call it counts as running all the time, except in calls that block, or that may
// block, such as copies of pageable memory. If it was preempted, this underestimates; so use at least the upper
// quartile over all steps, taken over calls of the same phase.
//
// Example: readings 20 ms apart say that it ran 1.9 ms; its last call ended 1.2 ms after the first reading. So it
// resumed 0.7 ms before the second reading, and the remainder of its pause is backward's.
#pragma once

#include <unordered_map>
#include <vector>

#include "model/process_trace.h"

namespace tauprof {

class ResumeTimes {
 public:
  // `order`: outermost calls of the threads that launch, by start.
  ResumeTimes(const ProcessTrace& trace, const std::vector<uint32_t>& order);

  // For the main thread's first call after a backward pass: when the thread resumed. `otherwise` for all other calls.
  Nanoseconds before(uint32_t call, Nanoseconds otherwise) const {
    const auto found = resumed_.find(call);
    return found == resumed_.end() ? otherwise : found->second;
  }

 private:
  std::unordered_map<uint32_t, Nanoseconds> resumed_;  // by call
};

}  // namespace tauprof
