// Processes that drive several ranks, one on each of their devices: JAX, torch.nn.DataParallel, one thread for each
// GPU.
//
// Such a process is several members of one communicator. Then a communicator's record tells which device the member is
// on, and the number in the largest such communicator is that device's rank. Example: process A holds numbers 0 to 3 of
// a communicator of 8, on its devices 0 to 3, process B numbers 4 to 7: eight ranks in two logs.
#pragma once

#include "model/process_trace.h"

namespace tauprof {

// Fills the ranks of the process's devices; where it drives only one rank, forgets the communicators' devices.
void place_own_members(ProcessTrace& trace);

}  // namespace tauprof
