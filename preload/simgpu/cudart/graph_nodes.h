// Lists of nodes, as graph functions take and return them.
#pragma once

#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstddef>
#include <vector>

#include "simgpu/engine/launch.h"

namespace simgpu {

// Without a buffer, only the count is returned. Entries of the buffer beyond the items are set to null.
template <typename Item>
cudaError_t give_list(const std::vector<Item>& items, Item* buffer, std::size_t* count) {
  if (count == nullptr) return cudaErrorInvalidValue;
  if (buffer != nullptr) {
    const std::size_t given = std::min(*count, items.size());
    std::copy_n(items.begin(), given, buffer);
    std::fill(buffer + given, buffer + *count, nullptr);
    *count = given;
    return cudaSuccess;
  }
  *count = items.size();
  return cudaSuccess;
}

cudaError_t give_edges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to, std::size_t* count);
cudaError_t give_dependencies(cudaGraphNode_t node, cudaGraphNode_t* nodes, std::size_t* count);

// Where a new node goes, and where to return its handle.
struct NodePlace {
  cudaGraphNode_t* out;
  cudaGraph_t graph;
  const cudaGraphNode_t* after;
  std::size_t after_count;
};

cudaError_t place_node(const NodePlace& place, cudaGraphNodeType type, OperationRequest request,
                       cudaGraph_t child = nullptr);
cudaError_t place_any_node(const NodePlace& place, cudaGraphNodeParams* parameters);

}  // namespace simgpu
