// Graphs: creation, topology and launches.
#include "simgpu/engine/graph.h"

#include <cstdio>
#include <memory>

#include "simgpu/cudart/graph_nodes.h"
#include "simgpu/cudart/runtime_call.h"

namespace simgpu {
namespace {

const char* type_name(cudaGraphNodeType type) {
  switch (type) {
    case cudaGraphNodeTypeKernel:
      return "KERNEL";
    case cudaGraphNodeTypeMemcpy:
      return "MEMCPY";
    case cudaGraphNodeTypeMemset:
      return "MEMSET";
    case cudaGraphNodeTypeHost:
      return "HOST";
    case cudaGraphNodeTypeGraph:
      return "GRAPH";
    case cudaGraphNodeTypeWaitEvent:
      return "WAIT_EVENT";
    case cudaGraphNodeTypeEventRecord:
      return "EVENT_RECORD";
    case cudaGraphNodeTypeMemAlloc:
      return "MEM_ALLOC";
    case cudaGraphNodeTypeMemFree:
      return "MEM_FREE";
    case cudaGraphNodeTypeConditional:
      return "CONDITIONAL";
    default:
      return "EMPTY";
  }
}

cudaError_t print_dot(cudaGraph_t graph, std::FILE* file) {
  std::vector<cudaGraphNode_t> nodes;
  GraphEdges edges;
  cudaError_t error = graph_nodes(graph, &nodes);
  if (error == cudaSuccess) error = graph_edges(graph, &edges);
  if (error != cudaSuccess) return error;
  std::fprintf(file, "digraph graph_%p {\n", static_cast<void*>(graph));
  for (const cudaGraphNode_t node : nodes) {
    cudaGraphNodeType type = cudaGraphNodeTypeEmpty;
    node_type(node, &type);
    std::fprintf(file, "  \"%p\" [label=\"%s\"];\n", static_cast<void*>(node), type_name(type));
  }
  for (std::size_t i = 0; i < edges.from.size(); ++i) {
    std::fprintf(file, "  \"%p\" -> \"%p\";\n", static_cast<void*>(edges.from[i]), static_cast<void*>(edges.to[i]));
  }
  std::fprintf(file, "}\n");
  return cudaSuccess;
}

cudaError_t instantiate(cudaGraphExec_t* out, cudaGraph_t graph, unsigned long long flags) {
  constexpr unsigned long long kKnown = cudaGraphInstantiateFlagAutoFreeOnLaunch | cudaGraphInstantiateFlagUpload |
                                        cudaGraphInstantiateFlagUseNodePriority;
  if (out == nullptr || (flags & ~kKnown & ~cudaGraphInstantiateFlagDeviceLaunch) != 0) return cudaErrorInvalidValue;
  if ((flags & cudaGraphInstantiateFlagDeviceLaunch) != 0) return cudaErrorNotSupported;
  return instantiate_graph(graph, out);
}

}  // namespace

RUNTIME_CALL(cudaGraphCreate, v10000, (cudaGraph_t * pGraph, unsigned flags), (pGraph, flags)) {
  return pGraph == nullptr || flags != 0 ? cudaErrorInvalidValue : create_graph(pGraph);
}

RUNTIME_CALL(cudaGraphClone, v10000, (cudaGraph_t * pGraphClone, cudaGraph_t originalGraph),
             (pGraphClone, originalGraph)) {
  return pGraphClone == nullptr ? cudaErrorInvalidValue : clone_graph(originalGraph, pGraphClone);
}

RUNTIME_CALL(cudaGraphDestroy, v10000, (cudaGraph_t graph), (graph)) { return destroy_graph(graph); }

RUNTIME_CALL(cudaGraphGetNodes, v10000, (cudaGraph_t graph, cudaGraphNode_t* nodes, std::size_t* numNodes),
             (graph, nodes, numNodes)) {
  std::vector<cudaGraphNode_t> found;
  const cudaError_t error = graph_nodes(graph, &found);
  return error != cudaSuccess ? error : give_list(found, nodes, numNodes);
}

RUNTIME_CALL(cudaGraphGetRootNodes, v10000,
             (cudaGraph_t graph, cudaGraphNode_t* pRootNodes, std::size_t* pNumRootNodes),
             (graph, pRootNodes, pNumRootNodes)) {
  std::vector<cudaGraphNode_t> roots;
  cudaError_t error = graph_nodes(graph, &roots);
  if (error != cudaSuccess) return error;
  GraphEdges edges;
  error = graph_edges(graph, &edges);
  std::erase_if(roots, [&edges](cudaGraphNode_t node) {
    return std::find(edges.to.begin(), edges.to.end(), node) != edges.to.end();
  });
  return error != cudaSuccess ? error : give_list(roots, pRootNodes, pNumRootNodes);
}

RUNTIME_CALL(cudaGraphNodeGetType, v10000, (cudaGraphNode_t node, cudaGraphNodeType* pType), (node, pType)) {
  return pType == nullptr ? cudaErrorInvalidValue : node_type(node, pType);
}

RUNTIME_CALL(cudaGraphDebugDotPrint, v11030, (cudaGraph_t graph, const char* path, unsigned flags),
             (graph, path, flags)) {
  static_cast<void>(flags);  // these ask for more output, and there is none
  if (path == nullptr) return cudaErrorInvalidValue;
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path, "w"), std::fclose);
  return file == nullptr ? cudaErrorOperatingSystem : print_dot(graph, file.get());
}

RUNTIME_CALL(cudaGraphInstantiate, v12000, (cudaGraphExec_t * pGraphExec, cudaGraph_t graph, unsigned long long flags),
             (pGraphExec, graph, flags)) {
  return instantiate(pGraphExec, graph, flags);
}

RUNTIME_CALL(cudaGraphInstantiateWithFlags, v11040,
             (cudaGraphExec_t * pGraphExec, cudaGraph_t graph, unsigned long long flags), (pGraphExec, graph, flags)) {
  return instantiate(pGraphExec, graph, flags);
}

RUNTIME_TWINS(cudaGraphInstantiateWithParams, _ptsz, v12000, v12000,
              (cudaGraphExec_t * pGraphExec, cudaGraph_t graph, cudaGraphInstantiateParams* instantiateParams),
              (pGraphExec, graph, instantiateParams)) {
  if (instantiateParams == nullptr) return cudaErrorInvalidValue;
  const bool uploads = (instantiateParams->flags & cudaGraphInstantiateFlagUpload) != 0;
  if (uploads && find_stream(instantiateParams->uploadStream, default_stream) == nullptr) {
    return cudaErrorInvalidResourceHandle;
  }
  const cudaError_t error = instantiate(pGraphExec, graph, instantiateParams->flags);
  instantiateParams->errNode_out = nullptr;
  instantiateParams->result_out = error == cudaSuccess ? cudaGraphInstantiateSuccess : cudaGraphInstantiateError;
  return error;
}

RUNTIME_CALL(cudaGraphExecDestroy, v10000, (cudaGraphExec_t graphExec), (graphExec)) {
  return destroy_graph_exec(graphExec);
}

RUNTIME_CALL(cudaGraphExecUpdate, v10020,
             (cudaGraphExec_t hGraphExec, cudaGraph_t hGraph, cudaGraphExecUpdateResultInfo* resultInfo),
             (hGraphExec, hGraph, resultInfo)) {
  if (resultInfo == nullptr) return cudaErrorInvalidValue;
  const cudaError_t error = update_graph_exec(hGraphExec, hGraph);
  *resultInfo = {};
  resultInfo->result = cudaGraphExecUpdateSuccess;
  if (error == cudaErrorGraphExecUpdateFailure) {
    resultInfo->result = cudaGraphExecUpdateErrorTopologyChanged;
  } else if (error != cudaSuccess) {
    resultInfo->result = cudaGraphExecUpdateError;
  }
  return error;
}

RUNTIME_TWINS(cudaGraphLaunch, _ptsz, v10000, v10000, (cudaGraphExec_t graphExec, cudaStream_t stream),
              (graphExec, stream)) {
  const StreamRef found = find_stream(stream, default_stream);
  return found == nullptr ? cudaErrorInvalidResourceHandle : launch_graph(graphExec, found);
}

// Uploading takes no time here, but keeps its position in the stream.
RUNTIME_TWINS(cudaGraphUpload, _ptsz, v10000, v10000, (cudaGraphExec_t graphExec, cudaStream_t stream),
              (graphExec, stream)) {
  const StreamRef found = find_stream(stream, default_stream);
  if (graphExec == nullptr) return cudaErrorInvalidValue;
  return found == nullptr ? cudaErrorInvalidResourceHandle : submit(found, {});
}

}  // namespace simgpu
