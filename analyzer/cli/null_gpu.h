// `tauprof run --null-gpu`: the command on simulated GPUs that are infinitely fast, and how to say what it reached.
#pragma once

#include <string>
#include <vector>

#include "report/report.h"

namespace tauprof {

// The command behind scripts/with-simgpu, whose libraries it preloads. Empty: not found, and it has been said.
std::vector<std::string> on_null_gpu(const std::vector<std::string>& command);

// One line: steps/s, samples/s where the batch is known, and what they are.
std::string null_gpu_summary(const Report& report);

}  // namespace tauprof
