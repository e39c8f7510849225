// A kernel launch, as requested by every launch function and graph node.
#pragma once

#include <vector_types.h>

#include <cstddef>

#include "simgpu/engine/kernel.h"
#include "simgpu/engine/operation.h"
#include "simgpu/engine/stream.h"
#include "simgpu/engine/visibility.h"

namespace simgpu {

struct Launch {
  Kernel* kernel = nullptr;
  dim3 grid;
  dim3 block;
  dim3 cluster = {1, 1, 1};
  std::size_t shared_bytes = 0;
  void** arguments = nullptr;
  bool is_cooperative = false;
};

// Checks the launch and returns the operation without queueing it, for a graph node. Reads the arguments now.
SIMGPU_API cudaError_t make_launch_request(const Launch& launch, OperationRequest* out);

SIMGPU_API cudaError_t submit_launch(const Launch& launch, cudaStream_t stream, DefaultStream meaning);

}  // namespace simgpu
