// Puts NCCL's operations on streams.
#pragma once

#include <driver_types.h>

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

// The names of kernels in the NCCL library.
//
// NCCL specializes kernels for few operations and runs the others in the nearest kernel: Max and Min in that of Sum,
// signed integers in that of unsigned ones, every protocol in that of LL. All-gather and broadcast have one kernel
// each; sends, receives, all-to-all, gather and scatter share ncclDevKernel_SendRecv. What lies in symmetric
// windows has ncclSymkDevKernel_….

// The name of the kernel that runs all these messages: mangled and interned.
const char* kernel_name(const std::vector<Message>& messages, int ranks, bool are_symmetric);

// Symmetric kernels for few bytes send flags and data together.
bool is_small(const Message& message, int ranks);

// The order of a communicator's operations over several streams.
//
// NCCL runs the operations of one communicator in the order of the calls, even on different streams. A group whose
// calls name several streams is "a global synchronization point between the streams": one operation that waits for all
// of them and that all of them wait for. Streams that are being captured are left alone: an event would join the
// captures.
//
// Makes `stream` wait for the communicator's previous operation and for `others`.
cudaError_t order_before(Communicator& communicator, const StreamRef& stream, const std::vector<StreamRef>& others);
// Makes `others` wait for what is queued on `stream` now.
cudaError_t order_after(Communicator& communicator, const StreamRef& stream, const std::vector<StreamRef>& others);

}  // namespace simgpu::nccl
