// The outputs of cudaStreamGetCaptureInfo, in every version of its ABI: newer ones have more.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

#include "simgpu/engine/stream.h"

namespace simgpu {

// Null: not wanted. `status` must not be null.
struct CaptureReply {
  cudaStreamCaptureStatus* status = nullptr;
  unsigned long long* id = nullptr;
  cudaGraph_t* graph = nullptr;
  const cudaGraphNode_t** dependencies = nullptr;
  const cudaGraphEdgeData** edges = nullptr;
  std::size_t* dependency_count = nullptr;
};

cudaError_t reply_capture_info(cudaStream_t stream, DefaultStream meaning, const CaptureReply& reply);
cudaError_t update_dependencies(cudaStream_t stream, DefaultStream meaning, const cudaGraphNode_t* nodes,
                                std::size_t count, unsigned flags);

}  // namespace simgpu
