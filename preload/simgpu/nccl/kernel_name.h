// The names of kernels in the NCCL library.
//
// NCCL specializes kernels for few operations and runs the others in the nearest kernel: Max and Min in that of Sum,
// signed integers in that of unsigned ones, every protocol in that of LL. All-gather and broadcast have one kernel
// each; sends, receives, all-to-all, gather and scatter share ncclDevKernel_SendRecv. What lies in symmetric
// windows has ncclSymkDevKernel_….
#pragma once

#include <vector>

#include "simgpu/nccl/message.h"

namespace simgpu::nccl {

// The name of the kernel that runs all these messages: mangled and interned.
const char* kernel_name(const std::vector<Message>& messages, int ranks, bool are_symmetric);

// Symmetric kernels for few bytes send flags and data together.
bool is_small(const Message& message, int ranks);

}  // namespace simgpu::nccl
