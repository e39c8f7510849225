// Puts NCCL's operations on streams.
#pragma once

#include <vector>

#include "simgpu/engine/stream.h"
#include "simgpu/nccl/communicator.h"
#include "simgpu/nccl/message.h"

namespace simgpu::nccl {

// One kernel for all `messages` (none: nothing happens), on the first stream; the others wait for it. A communicator of
// one rank launches no kernel: an operation in place is nothing at all, others are copies.
ncclResult_t launch(const CommunicatorRef& communicator, const std::vector<Message>& messages,
                    const std::vector<StreamRef>& streams);

}  // namespace simgpu::nccl
