// Simulated devices under `tauprof run`: runs commands on them, and cleans up after those that a signal ended.
#pragma once

#include <string>
#include <vector>

#include "report/report.h"

namespace tauprof {

// `tauprof run --null-gpu`: runs the command on simulated, infinitely fast GPUs, and says how fast it was.

// The command, started by scripts/with-simgpu, which preloads the simulator. Empty if the script is not found, after
// printing an error.
std::vector<std::string> on_null_gpu(const std::vector<std::string>& command);

// One line: steps/s, and samples/s if the batch is known.
std::string null_gpu_summary(const Report& report);

// Cleans up after processes on simulated GPUs that a signal ended.
// Removes the shared memory of those that are dead. Waits for up to a second for those of this process group, which a
// Ctrl-C ends at about the same time as the command.
void remove_simulated_leftovers();

}  // namespace tauprof
