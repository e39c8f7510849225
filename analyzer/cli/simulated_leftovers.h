// Cleans up after processes on simulated GPUs that a signal ended.
#pragma once

namespace tauprof {

// Removes the shared memory of those that are dead. Waits for up to a second for those of this process group, which a
// Ctrl-C ends at about the same time as the command.
void remove_simulated_leftovers();

}  // namespace tauprof
