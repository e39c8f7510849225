// The typical steps of a run of which not all fit into memory.
//
// Steps that follow each other are kept, as many as fit, with one more behind them, whose start ends the last. Of the
// places where they can start, the one is chosen whose steps are on average nearest to the median of all. What was
// before the first kept operation is gone: operations that came after it start when they did.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "metrics/statistics/step_selection.h"
#include "model/rank_operations.h"

namespace tauprof {

struct FittingSteps {
  int64_t first = 0;  // their numbers
  int64_t last = 0;
  int64_t behind = 0;  // the last whose operations are kept
};

// None if not even one step fits.
std::optional<FittingSteps> fitting_steps(const std::vector<const ProcessOperations*>& processes,
                                          const StepSelection& steps, uint64_t most_operations);

// Takes all other operations out of a process.
void keep_steps(const FittingSteps& kept, ProcessOperations& process);

}  // namespace tauprof
