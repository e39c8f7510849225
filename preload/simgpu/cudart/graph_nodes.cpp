// Nodes that a program adds to a graph by hand.
#include "simgpu/cudart/graph_nodes.h"

#include "simgpu/cudart/runtime_call.h"
#include "simgpu/cudart/variables.h"
#include "simgpu/cudart/volume_copy.h"
#include "simgpu/engine/copy.h"
#include "simgpu/engine/device.h"
#include "simgpu/engine/fill.h"
#include "simgpu/engine/graph.h"
#include "simgpu/engine/launch.h"
#include "simgpu/engine/memory.h"

namespace simgpu {
namespace {

template <typename Parameters>
cudaError_t kernel_request(const Parameters& kernel, OperationRequest* request) {
  return make_launch_request({.kernel = find_kernel(kernel.func),
                              .grid = kernel.gridDim,
                              .block = kernel.blockDim,
                              .shared_bytes = kernel.sharedMemBytes,
                              .arguments = kernel.kernelParams},
                             request);
}

template <typename Parameters>
cudaError_t place_kernel(const NodePlace& place, const Parameters& kernel) {
  OperationRequest request;
  const cudaError_t error = kernel_request(kernel, &request);
  return error != cudaSuccess ? error : place_node(place, cudaGraphNodeTypeKernel, std::move(request));
}

cudaError_t place_copy(const NodePlace& place, const Copy& copy) {
  OperationRequest request;
  const cudaError_t error = make_copy_request(copy, true, &request);
  return error != cudaSuccess ? error : place_node(place, cudaGraphNodeTypeMemcpy, std::move(request));
}

cudaError_t place_volume_copy(const NodePlace& place, const cudaMemcpy3DParms* parameters) {
  Copy copy;
  const cudaError_t error = volume_copy(parameters, &copy);
  return error != cudaSuccess ? error : place_copy(place, copy);
}

template <typename Parameters>
cudaError_t place_fill(const NodePlace& place, const Parameters& parameters) {
  const unsigned size = parameters.elementSize;
  if (size != 1 && size != 2 && size != 4) return cudaErrorInvalidValue;
  const std::size_t row = parameters.width * size;
  const Fill fill{.destination = parameters.dst,
                  .value = parameters.value,
                  .element_bytes = size,
                  .width = parameters.width,
                  .height = parameters.height,
                  .pitch = parameters.height == 1 ? row : parameters.pitch,
                  .rows = parameters.height};
  OperationRequest request;
  const cudaError_t error = make_fill_request(fill, true, &request);
  return error != cudaSuccess ? error : place_node(place, cudaGraphNodeTypeMemset, std::move(request));
}

cudaError_t place_host_function(const NodePlace& place, cudaHostFn_t function, void* data) {
  if (function == nullptr) return cudaErrorInvalidValue;
  OperationRequest request;
  request.host_function = [function, data] {
    const HostFunctionScope scope;
    function(data);
  };
  return place_node(place, cudaGraphNodeTypeHost, std::move(request));
}

// Allocated now, so that the address is the same in every launch.
cudaError_t place_allocation(const NodePlace& place, const cudaMemPoolProps& pool, std::size_t bytes, void** out) {
  if (pool.location.type != cudaMemLocationTypeDevice) return cudaErrorNotSupported;
  if (!is_device(pool.location.id)) return cudaErrorInvalidDevice;
  const cudaError_t error = allocate_device(pool.location.id, bytes, out, default_pool(pool.location.id));
  return error != cudaSuccess ? error : place_node(place, cudaGraphNodeTypeMemAlloc, {});
}

}  // namespace

cudaError_t place_node(const NodePlace& place, cudaGraphNodeType type, OperationRequest request, cudaGraph_t child) {
  if (place.out == nullptr || (place.after == nullptr && place.after_count > 0)) return cudaErrorInvalidValue;
  return add_node(place.graph, type, std::move(request), {place.after, place.after + place.after_count}, place.out,
                  child);
}

cudaError_t place_any_node(const NodePlace& place, cudaGraphNodeParams* p) {
  if (p == nullptr) return cudaErrorInvalidValue;
  switch (p->type) {
    case cudaGraphNodeTypeKernel:
      return place_kernel(place, p->kernel);
    case cudaGraphNodeTypeMemcpy:
      return place_volume_copy(place, &p->memcpy.copyParams);
    case cudaGraphNodeTypeMemset:
      return place_fill(place, p->memset);
    case cudaGraphNodeTypeHost:
      return place_host_function(place, p->host.fn, p->host.userData);
    case cudaGraphNodeTypeGraph:
      return place_node(place, cudaGraphNodeTypeGraph, {}, p->graph.graph);
    case cudaGraphNodeTypeEmpty:
      return place_node(place, cudaGraphNodeTypeEmpty, {});
    case cudaGraphNodeTypeMemAlloc:
      return place_allocation(place, p->alloc.poolProps, p->alloc.bytesize, &p->alloc.dptr);
    case cudaGraphNodeTypeMemFree:
      return place_node(place, cudaGraphNodeTypeMemFree, {});
    case cudaGraphNodeTypeConditional:
      if (p->conditional.type != cudaGraphCondTypeIf || p->conditional.size != 1) return cudaErrorNotSupported;
      return add_conditional_node(place.graph, p->conditional.handle, {place.after, place.after + place.after_count},
                                  place.out, &p->conditional.phGraph_out);
    default:
      return cudaErrorNotSupported;
  }
}

#define NODE_PARAMETERS \
  cudaGraphNode_t *pGraphNode, cudaGraph_t graph, const cudaGraphNode_t *pDependencies, std::size_t numDependencies
#define NODE_PLACE pGraphNode, graph, pDependencies, numDependencies

RUNTIME_CALL(cudaGraphAddKernelNode, v10000, (NODE_PARAMETERS, const cudaKernelNodeParams* pNodeParams),
             (NODE_PLACE, pNodeParams)) {
  if (pNodeParams == nullptr) return cudaErrorInvalidValue;
  return place_kernel({NODE_PLACE}, *pNodeParams);
}

RUNTIME_CALL(cudaGraphAddMemcpyNode, v10000, (NODE_PARAMETERS, const cudaMemcpy3DParms* pCopyParams),
             (NODE_PLACE, pCopyParams)) {
  return place_volume_copy({NODE_PLACE}, pCopyParams);
}

RUNTIME_CALL(cudaGraphAddMemcpyNode1D, v11010,
             (NODE_PARAMETERS, void* dst, const void* src, std::size_t count, cudaMemcpyKind kind),
             (NODE_PLACE, dst, src, count, kind)) {
  return place_copy({NODE_PLACE}, flat_copy(dst, src, count, kind));
}

RUNTIME_CALL(cudaGraphAddMemcpyNodeToSymbol, v11010,
             (NODE_PARAMETERS, const void* symbol, const void* src, std::size_t count, std::size_t offset,
              cudaMemcpyKind kind),
             (NODE_PLACE, symbol, src, count, offset, kind)) {
  char* part = nullptr;
  const cudaError_t error = find_variable_part(symbol, offset, count, &part);
  return error != cudaSuccess ? error : place_copy({NODE_PLACE}, flat_copy(part, src, count, kind));
}

RUNTIME_CALL(cudaGraphAddMemcpyNodeFromSymbol, v11010,
             (NODE_PARAMETERS, void* dst, const void* symbol, std::size_t count, std::size_t offset,
              cudaMemcpyKind kind),
             (NODE_PLACE, dst, symbol, count, offset, kind)) {
  char* part = nullptr;
  const cudaError_t error = find_variable_part(symbol, offset, count, &part);
  return error != cudaSuccess ? error : place_copy({NODE_PLACE}, flat_copy(dst, part, count, kind));
}

RUNTIME_CALL(cudaGraphAddMemsetNode, v10000, (NODE_PARAMETERS, const cudaMemsetParams* pMemsetParams),
             (NODE_PLACE, pMemsetParams)) {
  return pMemsetParams == nullptr ? cudaErrorInvalidValue : place_fill({NODE_PLACE}, *pMemsetParams);
}

RUNTIME_CALL(cudaGraphAddHostNode, v10000, (NODE_PARAMETERS, const cudaHostNodeParams* pNodeParams),
             (NODE_PLACE, pNodeParams)) {
  if (pNodeParams == nullptr) return cudaErrorInvalidValue;
  return place_host_function({NODE_PLACE}, pNodeParams->fn, pNodeParams->userData);
}

RUNTIME_CALL(cudaGraphAddChildGraphNode, v10000, (NODE_PARAMETERS, cudaGraph_t childGraph), (NODE_PLACE, childGraph)) {
  return place_node({NODE_PLACE}, cudaGraphNodeTypeGraph, {}, childGraph);
}

RUNTIME_CALL(cudaGraphChildGraphNodeGetGraph, v10000, (cudaGraphNode_t node, cudaGraph_t* pGraph), (node, pGraph)) {
  return node_graph(node, pGraph);
}

RUNTIME_CALL(cudaGraphConditionalHandleCreate, v12030,
             (cudaGraphConditionalHandle * pHandle_out, cudaGraph_t graph, unsigned defaultLaunchValue, unsigned flags),
             (pHandle_out, graph, defaultLaunchValue, flags)) {
  return create_condition(graph, (flags & cudaGraphCondAssignDefault) != 0 && defaultLaunchValue != 0, pHandle_out);
}

RUNTIME_CALL(cudaGraphExecKernelNodeSetParams, v10010,
             (cudaGraphExec_t hGraphExec, cudaGraphNode_t node, const cudaKernelNodeParams* pNodeParams),
             (hGraphExec, node, pNodeParams)) {
  if (pNodeParams == nullptr) return cudaErrorInvalidValue;
  OperationRequest request;
  const cudaError_t error = kernel_request(*pNodeParams, &request);
  return error != cudaSuccess ? error : set_exec_node(hGraphExec, node, cudaGraphNodeTypeKernel, std::move(request));
}

RUNTIME_CALL(cudaGraphExecMemcpyNodeSetParams1D, v11010,
             (cudaGraphExec_t hGraphExec, cudaGraphNode_t node, void* dst, const void* src, std::size_t count,
              cudaMemcpyKind kind),
             (hGraphExec, node, dst, src, count, kind)) {
  OperationRequest request;
  const cudaError_t error = make_copy_request(flat_copy(dst, src, count, kind), true, &request);
  return error != cudaSuccess ? error : set_exec_node(hGraphExec, node, cudaGraphNodeTypeMemcpy, std::move(request));
}

RUNTIME_CALL(cudaGraphAddEmptyNode, v10000, (NODE_PARAMETERS), (NODE_PLACE)) {
  return place_node({NODE_PLACE}, cudaGraphNodeTypeEmpty, {});
}

RUNTIME_CALL(cudaGraphAddMemAllocNode, v11040, (NODE_PARAMETERS, cudaMemAllocNodeParams* nodeParams),
             (NODE_PLACE, nodeParams)) {
  if (nodeParams == nullptr) return cudaErrorInvalidValue;
  return place_allocation({NODE_PLACE}, nodeParams->poolProps, nodeParams->bytesize, &nodeParams->dptr);
}

RUNTIME_CALL(cudaGraphAddMemFreeNode, v11040, (NODE_PARAMETERS, void* dptr), (NODE_PLACE, dptr)) {
  if (memory_kind(dptr) != MemoryKind::Device) return cudaErrorInvalidValue;
  return place_node({NODE_PLACE}, cudaGraphNodeTypeMemFree, {});
}

RUNTIME_CALL_NEEDING(Needs::Device, RENAMED_IN_12(cudaGraphAddNode, _v2), cudaGraphAddNode, v12030,
                     (cudaGraphNode_t * pGraphNode, cudaGraph_t graph, const cudaGraphNode_t* pDependencies,
                      const cudaGraphEdgeData* dependencyData, std::size_t numDependencies,
                      cudaGraphNodeParams* nodeParams),
                     (pGraphNode, graph, pDependencies, dependencyData, numDependencies, nodeParams)) {
  static_cast<void>(dependencyData);
  return place_any_node({NODE_PLACE}, nodeParams);
}

}  // namespace simgpu
