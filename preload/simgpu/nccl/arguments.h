// Checks of arguments, with the results that the documentation gives.
#pragma once

#include <nccl.h>

#include "simgpu/nccl/communicator.h"
#include "simgpu/nccl/message.h"

namespace simgpu::nccl {

// ncclInvalidArgument if it is null, never existed, or is gone.
ncclResult_t check_handle(ncclComm_t handle, const char* function, CommunicatorRef* out);
// Also checks that nothing is in progress on it and that it was not finalized, revoked or aborted.
ncclResult_t check_ready(ncclComm_t handle, const char* function, CommunicatorRef* out);
// Like check_ready, but accepts a revoked communicator: others may be made from it.
ncclResult_t check_parent(ncclComm_t handle, const char* function, CommunicatorRef* out);
// Refuses a null pointer.
ncclResult_t check_pointer(const void* pointer, const char* function, const char* name);
// Resolves a reduction operator that the program made.
ncclResult_t check_message(const Communicator& communicator, const char* function, Message* message);

// Reduction operators made by programs: a multiplication by a scalar before the sum.
// Replaces such an operator by the sum and its scalar. False: no such operator, or it is for another type or
// communicator.
bool resolve_reduction(const Communicator& communicator, Message* message);

}  // namespace simgpu::nccl
