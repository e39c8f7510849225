// The order of a communicator's operations over several streams.
//
// NCCL runs the operations of one communicator in the order of the calls, even on different streams. A group whose
// calls name several streams is "a global synchronization point between the streams": one operation that waits for all
// of them and that all of them wait for. Streams that are being captured are left alone: an event would join the
// captures.
#pragma once

#include <driver_types.h>

#include <vector>

#include "simgpu/nccl/communicator.h"

namespace simgpu::nccl {

// Makes `stream` wait for the communicator's previous operation and for `others`.
cudaError_t order_before(Communicator& communicator, const StreamRef& stream, const std::vector<StreamRef>& others);
// Makes `others` wait for what is queued on `stream` now.
cudaError_t order_after(Communicator& communicator, const StreamRef& stream, const std::vector<StreamRef>& others);

}  // namespace simgpu::nccl
