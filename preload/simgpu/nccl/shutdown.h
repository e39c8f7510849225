// The ends of communicators: finalize, destroy, abort, revoke; and their asynchronous errors.
#pragma once

#include <nccl.h>

#include "simgpu/nccl/communicator.h"

namespace simgpu::nccl {

// A blocking communicator waits until all operations are over. A nonblocking one returns ncclInProgress, and
// asynchronous_state tells when they are.
ncclResult_t finalize(const CommunicatorRef& communicator);
// Also invalidates the handle.
ncclResult_t destroy(ncclComm_t handle);
ncclResult_t abort(ncclComm_t handle);
ncclResult_t revoke(const CommunicatorRef& communicator);

// The result for ncclCommGetAsyncError: ncclRemoteError once a member has died or aborted.
ncclResult_t asynchronous_state(const CommunicatorRef& communicator);

}  // namespace simgpu::nccl
