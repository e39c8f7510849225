// The operations that some steps of a rank are about.
#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include "replay/run_graph.h"

namespace tauprof {

// The operations of a rank in some of its steps: the work that they launched, and its host's work for them or while
// they ran. The host of one step delays the device window of the step before. Where that window is known to be the
// longer one, only the work that these steps launched counts, and the host's work while they ran.
class ChosenSteps {
 public:
  // No steps: all.
  ChosenSteps(const RunGraph& run, size_t rank, const std::vector<int64_t>& steps, bool are_windows);
  // `step`: that launched the operation.
  bool has(OperationId operation, int64_t step) const;

 private:
  const RunGraph& run_;
  std::set<int64_t> steps_;
  bool are_windows_;
  std::vector<Interval> windows_;  // of these steps, measured, by time
};

}  // namespace tauprof
