// Groups: calls between ncclGroupStart and ncclGroupEnd take effect at the outermost end.
//
// A call outside of a group is a group of its own. First all communicators of the group are initialized together; then
// each communicator's calls are launched as one kernel. If a call fails, the whole group fails: the outermost end
// returns the error, and nothing is launched.
#pragma once

#include <nccl.h>

#include "simgpu/nccl/communicator.h"
#include "simgpu/nccl/initialization.h"
#include "simgpu/nccl/message.h"

namespace simgpu::nccl {

// The calling thread's group.
void start_group();
ncclResult_t end_group();
// Ends a group without launching anything. Returns how long it would take, in microseconds.
ncclResult_t simulate_group(float* estimated_us);

// Both contribute to the group's result, so pass the result of the checks too.
ncclResult_t add_to_group(ncclResult_t checked, const InitializationRef& initialization);
ncclResult_t add_to_group(ncclResult_t checked, const CommunicatorRef& communicator, const Message& message,
                          cudaStream_t stream);

}  // namespace simgpu::nccl
