// How communicators end: finalize, destroy, abort, revoke; and what has gone wrong meanwhile.
#pragma once

#include <nccl.h>

#include "simgpu/nccl/communicator.h"

namespace simgpu::nccl {

// Blocking: until all operations are over. Nonblocking: ncclInProgress, and asynchronous_state says when.
ncclResult_t finalize(const CommunicatorRef& communicator);
// Also takes the handle.
ncclResult_t destroy(ncclComm_t handle);
ncclResult_t abort(ncclComm_t handle);
ncclResult_t revoke(const CommunicatorRef& communicator);

// What ncclCommGetAsyncError reports. ncclRemoteError once a member has died or aborted.
ncclResult_t asynchronous_state(const CommunicatorRef& communicator);

}  // namespace simgpu::nccl
