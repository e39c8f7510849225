// Launches what a library function does on the device, as a library with a CUDA runtime of its own inside would: no
// public runtime function is called, but CUPTI sees the launch.
#pragma once

#include <cstdint>
#include <string>

#include "simgpu/cudnn/handle.h"
#include "simgpu/engine/cost_model.h"

namespace simgpu::cudnn {

struct KernelPlan {
  std::string name;
  KernelShape shape;
  Work work;
};

// A kernel that reads and writes `bytes` in all, with one thread for each of `elements`.
KernelPlan streaming_kernel(std::string name, std::int64_t elements, std::int64_t bytes);
// A matrix product, or what is computed as one.
KernelPlan product_kernel(std::string name, const GemmShape& product);

Status launch(const KernelPlan& plan, const Handle& handle);

}  // namespace simgpu::cudnn
