// The threads that train, with what PyTorch's marks say of each.
//
// Hooks that update parameters inside a backward pass run on autograd's threads; such an update belongs to the thread
// that waits in the pass. What is captured into a graph is only recorded there: its marks are left out, and each launch
// of a graph updates what the captures updated.
#pragma once

#include <initializer_list>
#include <limits>
#include <map>
#include <vector>

#include "model/process_trace.h"
#include "steps/capture_times.h"

namespace tauprof {

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

// When each thread is inside a mark of some kinds. Lookups cost O(log n).
class MarkedTimes {
 public:
  MarkedTimes(const ProcessTrace& trace, std::initializer_list<MarkKind> kinds);

  bool has(uint16_t thread, Nanoseconds time) const { return start(thread, time) != kNever; }
  // Which thread is inside at the time; of several the one whose mark started last; kNoThread: none.
  uint16_t thread_at(Nanoseconds time) const;

  static constexpr uint16_t kNoThread = 0xFFFF;

 private:
  static constexpr Nanoseconds kNever = std::numeric_limits<Nanoseconds>::min();
  Nanoseconds start(uint16_t thread, Nanoseconds time) const;

  std::map<uint16_t, std::vector<Interval>> outermost_;  // by thread; disjoint, by start
};

}  // namespace tauprof
