// Explicit step markers: ranges or marks that the program itself (NVTX) or its framework (ProfilerStep#N) put around
// every step.
//
// Names that differ only in a number form a family ("step 7", "step 8"). A family marks steps if its name speaks of
// steps, iterations or batches, it recurs on one thread, and its members do not overlap; a range inside one of the same
// number is the same step, marked twice. Of several families, the framework's own marker wins, then the better word
// (step, iteration, batch), then the main thread's, then the longer ranges: a marker inside another's ranges marks
// something smaller.
// Example: ranges "epoch 0", "train_step 0", "train_step 1", "micro_step 0..7" give train_step.
#pragma once

#include <string>
#include <vector>

#include "model/process_trace.h"

namespace tauprof {

struct StepMarkers {
  std::string family;  // empty: no markers
  bool are_ranges = false;
  std::vector<HostStep> steps;  // by start
};

StepMarkers find_step_markers(const ProcessTrace& trace);

}  // namespace tauprof
