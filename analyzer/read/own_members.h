// Processes that drive several ranks, one per device, as with JAX, torch.nn.DataParallel, or one thread per GPU.
//
// Such a process is several members of one communicator. The record of a communicator says which device the member is
// on, and the member's number in the largest such communicator is the rank of that device. Example: process A holds
// numbers 0 to 3 of a communicator of 8 on its devices 0 to 3, and process B holds numbers 4 to 7: eight ranks in two
// logs.
#pragma once

#include "model/process_trace.h"

namespace tauprof {

// Fills the ranks of the process's devices. If it drives only one rank, forgets the communicators' devices.
void assign_member_ranks(ProcessTrace& trace);

}  // namespace tauprof
