// Checks of what programs give, with the results that the documentation names.
#pragma once

#include <nccl.h>

#include "simgpu/nccl/communicator.h"
#include "simgpu/nccl/message.h"

namespace simgpu::nccl {

// ncclInvalidArgument: null, never made, or gone.
ncclResult_t check_handle(ncclComm_t handle, const char* function, CommunicatorRef* out);
// Also that nothing is in progress on it and that it has not been finalized, revoked or aborted.
ncclResult_t check_ready(ncclComm_t handle, const char* function, CommunicatorRef* out);
// As check_ready, but a revoked communicator will do: others may be made of it.
ncclResult_t check_parent(ncclComm_t handle, const char* function, CommunicatorRef* out);
// Null pointers that must not be null.
ncclResult_t check_pointer(const void* pointer, const char* function, const char* name);
// Resolves a reduction operator that the program made.
ncclResult_t check_message(const Communicator& communicator, const char* function, Message* message);

}  // namespace simgpu::nccl
