// The threads that train, with what PyTorch's marks say of each.
//
// Hooks that update parameters inside a backward pass run on autograd's threads; such an update belongs to the thread
// that waits in the pass. What is captured into a graph is only recorded there: its marks are left out, and each launch
// of a graph updates what the captures updated.
#pragma once

#include <vector>

#include "model/process_trace.h"
#include "steps/capture_times.h"

namespace tauprof {

inline constexpr uint64_t kOfGraphs = 0;  // no optimizer has this number

struct TrainingThread {
  uint16_t thread = 0;
  std::vector<FrameworkMark> marks;  // by start, then longest first
  bool updates = false;
  bool has_passes = false;  // backward
};

// Whether the framework says what the program computes. Fetching alone does not.
bool is_marked(const ProcessTrace& trace);

// Those with marks, by thread.
std::vector<TrainingThread> training_threads(const ProcessTrace& trace, const CaptureTimes& captures);

// The thread that trains most.
uint16_t main_training_thread(const ProcessTrace& trace);

}  // namespace tauprof
