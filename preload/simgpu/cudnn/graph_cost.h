// Which kernels an operation graph becomes, and what they cost.
//
//   convolutions   one kernel each, timed as the matrix product that an implicit-GEMM kernel computes: a row for each
//                  pixel of the output, a column for each output channel, as many products as the filter has weights
//   attention      one fused kernel, timed as all matrix products of the graph together: two forward, five backward;
//                  softmax, masks and dropout hide behind them
//   one product    one kernel
//
// Operations on elements beside these are part of their kernels. Graphs without any of these are not simulated.
#pragma once

#include <vector>

#include "simgpu/cudnn/backend_descriptor.h"
#include "simgpu/cudnn/kernel_launch.h"

namespace simgpu::cudnn {

// Says once for each kind of operation what it lacks.
bool can_run(const DescriptorState& graph);

std::vector<KernelPlan> kernels_of(const DescriptorState& graph);

}  // namespace simgpu::cudnn
