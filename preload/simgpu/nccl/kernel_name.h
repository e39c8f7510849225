// The names of NCCL's kernels, as its library has them.
//
// NCCL specialises its kernels for few operations and serves the others with the nearest one: Max and Min run in the
// kernel of Sum, signed integers in that of unsigned ones, and every protocol in that of LL. All-gather and broadcast
// have one kernel each; sends, receives, all-to-all, gather and scatter share ncclDevKernel_SendRecv.
#pragma once

#include <vector>

#include "simgpu/nccl/message.h"

namespace simgpu::nccl {

// Mangled and interned, of the kernel that runs all of these messages.
const char* kernel_name(const std::vector<Message>& messages, int ranks);

}  // namespace simgpu::nccl
