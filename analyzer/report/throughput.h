// Samples and tokens per second of all ranks together, in steps of mean duration.
//
// Of samples, the user says how many a rank takes in a step (--batch). Else PyTorch says how many are in a batch of its
// loader, and the report how many batches the ranks copied to their devices in the analysed steps:
//
//   samples/s = batch size × batches of all ranks / (steps × mean duration)
//
// Of tokens, the user says how many a rank takes in a step (--tokens). Else PyTorch says what one call of a transformer
// gets (metrics/input/step_tokens.h).
//
// That holds where each rank has data of its own: one rank, nn.parallel.DistributedDataParallel, FSDP. Example: 4
// ranks, a batch size of 32, 2 batches in each step of 0.1 s: 2,560 samples/s.
#pragma once

#include <optional>

#include "report/report.h"

namespace tauprof {

struct InputRate {
  double per_second = 0;
  bool is_asked = false;  // of PyTorch
};

// Empty: not known, or there are no steps.
std::optional<InputRate> sample_rate(const Report& report);
std::optional<InputRate> token_rate(const Report& report);

}  // namespace tauprof
