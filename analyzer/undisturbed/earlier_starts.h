// Device work that starts earlier because the call that launches it is shorter.
//
// A launch is an edge from the start of its call. What the call does before it comes to the launch is part of the
// edge's delay, although it is the host's time: a library's call of 200 us may launch after 150.
#pragma once

#include <unordered_map>
#include <utility>
#include <vector>

#include "replay/changes.h"
#include "replay/run_graph.h"

namespace tauprof {

class EarlierStarts {
 public:
  explicit EarlierStarts(const RunGraph& run);

  // Where the call behind `before` takes `length` instead of what it took, it comes to its launches as much earlier.
  // Example: a call of 200 us launches after 150; if it takes 100, it launches after 75. What starts behind the return
  // starts as much earlier as that.
  void shorten_call(OperationId before, Nanoseconds took, Nanoseconds length);

  void apply(Changes& changes) const;

 private:
  bool waited_for(OperationId id, OperationId launch) const;

  const RunGraph& run_;
  std::vector<std::pair<OperationId, OperationId>> launched_;  // the host's work before the call, the work launched
  std::unordered_map<OperationId, Nanoseconds> earlier_;
};

}  // namespace tauprof
