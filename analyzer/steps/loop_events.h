// The events of a training thread outside its passes and updates, in order. The cut between two steps is chosen from
// them (step_cut.h).
#pragma once

#include <vector>

#include "model/process_trace.h"
#include "steps/capture_times.h"

namespace tauprof {

struct LoopEvent {
  enum class Kind : uint8_t {
    kFetch,       // of a batch, by a loader that the framework knows
    kInputCopy,   // to the device, and waiting until it is done
    kEvaluation,  // a forward pass without gradients
    kClearing,    // zero_grad
    kEnd,         // a schedule, a checkpoint, reading results, gathering them: what ends a step
    kWork,        // anything else that launches
    kPass,        // of training: forward with gradients, backward, an update, a graph that holds one
  };
  Nanoseconds start = 0;
  Nanoseconds end = 0;
  Kind kind = Kind::kWork;
  bool waits_for_nothing = false;  // nothing was launched since the thread waited before
};

// The thread's outermost marks and its outermost calls outside of them, by start. `marks`: the thread's, without those
// of captures, by start, then longest first.
std::vector<LoopEvent> loop_events(const ProcessTrace& trace, uint16_t thread, const std::vector<FrameworkMark>& marks,
                                   const CaptureTimes& captures);

}  // namespace tauprof
