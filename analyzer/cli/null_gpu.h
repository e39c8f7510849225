// `tauprof run --null-gpu`: runs the command on simulated, infinitely fast GPUs, and says how fast it was.
#pragma once

#include <string>
#include <vector>

#include "report/report.h"

namespace tauprof {

// The command, started by scripts/with-simgpu, which preloads the simulator. Empty if the script is not found, after
// printing an error.
std::vector<std::string> on_null_gpu(const std::vector<std::string>& command);

// One line: steps/s, and samples/s if the batch is known.
std::string null_gpu_summary(const Report& report);

}  // namespace tauprof
