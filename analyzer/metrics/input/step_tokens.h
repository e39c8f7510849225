// The tokens that a transformer takes in, where PyTorch says how many one call of it gets.
//
// A step has as many calls as backward passes. That is believed where nine in ten of the analysed steps copy as many
// batches to the device, and as many bytes for each: else lengths differ, or calls are not passes. Padding counts.
// Example: 4 passes a step, each of 8 texts of 512 tokens: 16,384 tokens in 32 sequences.
#pragma once

#include <optional>
#include <vector>

#include "metrics/statistics/step_selection.h"
#include "model/rank_timeline.h"

namespace tauprof {

// Of a rank in a step.
struct StepTokens {
  double tokens = 0;
  double sequences = 0;
};

std::optional<StepTokens> step_tokens(const std::vector<const RankTimeline*>& ranks, const StepSelection& steps);

}  // namespace tauprof
