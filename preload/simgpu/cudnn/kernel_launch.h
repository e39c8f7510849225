// Launches the device work of a library function, like a library that contains a CUDA runtime: it calls no public
// runtime function, but CUPTI sees the launch.
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

// A kernel that reads and writes `bytes` in total, with one thread per element.
KernelPlan streaming_kernel(std::string name, std::int64_t elements, std::int64_t bytes);
// A matrix product, or something that is computed as one.
KernelPlan product_kernel(std::string name, const GemmShape& product);

Status launch(const KernelPlan& plan, const Handle& handle);

}  // namespace simgpu::cudnn
