// What is different in a run that is replayed: operations that last longer or shorter, start at once, or are gone.
#pragma once

#include <optional>
#include <set>

#include "replay/run_graph.h"

namespace tauprof {

class Changes {
 public:
  explicit Changes(const RunGraph& run);

  void set_duration(OperationId operation, Nanoseconds duration) { durations_[operation] = duration; }
  void set_delay(OperationId operation, Nanoseconds delay) { delays_[operation] = delay; }
  // It takes no time, and waits for nothing but its place in its queue.
  void remove(OperationId operation);
  Nanoseconds duration(OperationId operation) const { return durations_[operation]; }

  Schedule<Nanoseconds> replayed() const;
  // By how much the mean step becomes shorter, in ns.
  double saving() const;

 private:
  const RunGraph& run_;
  LargeArray<Nanoseconds> durations_;
  LargeArray<Nanoseconds> delays_;
  std::vector<bool> is_free_;  // of its edges beyond the first
};

}  // namespace tauprof
