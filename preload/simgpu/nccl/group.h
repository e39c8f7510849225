// Groups: what a thread asks for between ncclGroupStart and ncclGroupEnd happens at the outermost end.
//
// A call outside of a group is a group of its own. First the communicators of the group come up, all at the same time;
// then each communicator's calls are launched as one kernel. A call that fails takes the whole group with it: the
// outermost end returns its error and nothing of the group is launched.
#pragma once

#include <nccl.h>

#include "simgpu/nccl/communicator.h"
#include "simgpu/nccl/initialization.h"
#include "simgpu/nccl/message.h"

namespace simgpu::nccl {

// Of the calling thread.
void start_group();
ncclResult_t end_group();
// The end of a group that nothing is launched for; how long it would take, in microseconds.
ncclResult_t simulate_group(float* estimated_us);

// Both take part in the group's result: give them the result of the checks too.
ncclResult_t add_to_group(ncclResult_t checked, const InitializationRef& initialization);
ncclResult_t add_to_group(ncclResult_t checked, const CommunicatorRef& communicator, const Message& message,
                          cudaStream_t stream);

}  // namespace simgpu::nccl
