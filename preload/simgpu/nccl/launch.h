// Puts NCCL's operations on streams.
#pragma once

#include <vector>

#include "simgpu/engine/stream.h"
#include "simgpu/nccl/communicator.h"
#include "simgpu/nccl/message.h"

namespace simgpu::nccl {

// Launches one kernel for all `messages`, if there are any, on the first stream; the other streams wait for it. A
// communicator of one rank launches no kernel: an operation in place does nothing, any other is a copy.
ncclResult_t launch(const CommunicatorRef& communicator, const std::vector<Message>& messages,
                    const std::vector<StreamRef>& streams);

// How many channels the kernel of these messages has.
unsigned channels_of(const Communicator& communicator, const std::vector<Message>& messages);

}  // namespace simgpu::nccl
