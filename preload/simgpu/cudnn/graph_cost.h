// The kernels of an operation graph, and their costs.
//
//   convolutions   one kernel each, timed as the matrix product that an implicit-GEMM kernel computes: a row for each
//                  pixel of the output, a column for each output channel, as many products as the filter has weights
//   attention      one fused kernel, timed as all matrix products of the graph together: two forward, five backward;
//                  softmax, masks and dropout add nothing
//   one product    one kernel
//
// Elementwise operations are part of these kernels. Graphs without any of these are not simulated.
#pragma once

#include <vector>

#include "simgpu/cudnn/descriptor_state.h"
#include "simgpu/cudnn/kernel_launch.h"

namespace simgpu::cudnn {

// If it cannot, says so on stderr, once per kind of operation.
bool can_run(const DescriptorState& graph);

std::vector<KernelPlan> kernels_of(const DescriptorState& graph);

}  // namespace simgpu::cudnn
