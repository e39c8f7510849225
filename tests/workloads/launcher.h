// Starts the ranks of a job on this machine, with torchrun's variables, and waits for them.
#pragma once

namespace training {

// Every rank runs this program with the same arguments. Passes signals on; when a rank fails, ends the others. Returns
// the exit status of the first rank that failed (128 + the signal that killed it), or 0.
int launch_ranks(int ranks, char** arguments);

}  // namespace training
