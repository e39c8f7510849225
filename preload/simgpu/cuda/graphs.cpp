// Contents of graphs. A CUgraph and a cudaGraph_t are the same, as are their nodes.
#include <algorithm>
#include <vector>

#include "simgpu/cuda/driver_call.h"
#include "simgpu/engine/graph.h"
#include "simgpu/engine/kernel.h"

namespace simgpu {
namespace {

// CUDA_SUCCESS if the node is of this type.
CUresult look_into(CUgraphNode node, cudaGraphNodeType type, const void* out, NodeContent* content) {
  if (out == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const cudaError_t error = node_content(node, content);
  if (error != cudaSuccess) return driver_result(error);
  return content->type == type ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

}  // namespace

DRIVER_CALL(cuGraphGetNodes, (CUgraph hGraph, CUgraphNode* nodes, std::size_t* numNodes), (hGraph, nodes, numNodes)) {
  if (numNodes == nullptr) return CUDA_ERROR_INVALID_VALUE;
  std::vector<cudaGraphNode_t> all;
  if (const cudaError_t error = graph_nodes(hGraph, &all); error != cudaSuccess) return driver_result(error);
  const std::size_t room = nodes != nullptr ? *numNodes : 0;
  if (nodes != nullptr) {
    std::copy_n(all.begin(), std::min(room, all.size()), nodes);
    std::fill(nodes + std::min(room, all.size()), nodes + room, nullptr);
  }
  *numNodes = nodes != nullptr ? std::min(room, all.size()) : all.size();
  return CUDA_SUCCESS;
}

DRIVER_CALL(cuGraphNodeGetType, (CUgraphNode hNode, CUgraphNodeType* type), (hNode, type)) {
  if (type == nullptr) return CUDA_ERROR_INVALID_VALUE;
  NodeContent content;
  if (const cudaError_t error = node_content(hNode, &content); error != cudaSuccess) return driver_result(error);
  *type = static_cast<CUgraphNodeType>(content.type);  // the numbers are the same
  return CUDA_SUCCESS;
}

DRIVER_CALL(cuGraphKernelNodeGetParams_v2, (CUgraphNode hNode, CUDA_KERNEL_NODE_PARAMS* nodeParams),
            (hNode, nodeParams)) {
  NodeContent content;
  if (const CUresult wrong = look_into(hNode, cudaGraphNodeTypeKernel, nodeParams, &content)) return wrong;
  *nodeParams = {};
  nodeParams->func = reinterpret_cast<CUfunction>(add_kernel(content.span.name));
  nodeParams->gridDimX = content.span.shape.grid[0];
  nodeParams->gridDimY = content.span.shape.grid[1];
  nodeParams->gridDimZ = content.span.shape.grid[2];
  nodeParams->blockDimX = content.span.shape.block[0];
  nodeParams->blockDimY = content.span.shape.block[1];
  nodeParams->blockDimZ = content.span.shape.block[2];
  return CUDA_SUCCESS;
}

DRIVER_CALL(cuGraphChildGraphNodeGetGraph, (CUgraphNode hNode, CUgraph* phGraph), (hNode, phGraph)) {
  NodeContent content;
  if (const CUresult wrong = look_into(hNode, cudaGraphNodeTypeGraph, phGraph, &content)) return wrong;
  return driver_result(node_graph(hNode, phGraph));
}

DRIVER_CALL(cuGraphMemcpyNodeGetParams, (CUgraphNode hNode, CUDA_MEMCPY3D* nodeParams), (hNode, nodeParams)) {
  NodeContent content;
  if (const CUresult wrong = look_into(hNode, cudaGraphNodeTypeMemcpy, nodeParams, &content)) return wrong;
  *nodeParams = {};
  nodeParams->WidthInBytes = content.span.bytes;
  nodeParams->Height = nodeParams->Depth = 1;
  return CUDA_SUCCESS;
}

DRIVER_CALL(cuGraphMemsetNodeGetParams, (CUgraphNode hNode, CUDA_MEMSET_NODE_PARAMS* nodeParams), (hNode, nodeParams)) {
  NodeContent content;
  if (const CUresult wrong = look_into(hNode, cudaGraphNodeTypeMemset, nodeParams, &content)) return wrong;
  *nodeParams = {};
  nodeParams->elementSize = 1;
  nodeParams->width = content.span.bytes;
  nodeParams->height = 1;
  return CUDA_SUCCESS;
}

}  // namespace simgpu
