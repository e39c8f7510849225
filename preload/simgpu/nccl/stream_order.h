// The order of a communicator's operations over several streams.
//
// NCCL runs the operations of one communicator in the order of the calls, also on different streams; and a group whose
// calls name several streams is one operation that all of them wait for, before and after, "a global synchronization
// point between the streams". Streams that are being captured are left as they are: an event would join the captures.
#pragma once

#include <driver_types.h>

#include <vector>

#include "simgpu/nccl/communicator.h"

namespace simgpu::nccl {

// Makes `stream` wait for the communicator's operation before and for `others`.
cudaError_t order_before(Communicator& communicator, const StreamRef& stream, const std::vector<StreamRef>& others);
// Makes `others` wait for what `stream` has now.
cudaError_t order_after(Communicator& communicator, const StreamRef& stream, const std::vector<StreamRef>& others);

}  // namespace simgpu::nccl
