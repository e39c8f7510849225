// The edges of a graph. All are of the default kind: programmatic launches are not simulated.
#include "simgpu/cudart/graph_nodes.h"
#include "simgpu/cudart/runtime_call.h"
#include "simgpu/engine/graph.h"

namespace simgpu {
namespace {

bool are_default(const cudaGraphEdgeData* edges, std::size_t count) {
  if (edges == nullptr) return true;
  return std::all_of(edges, edges + count, [](const cudaGraphEdgeData& edge) {
    return edge.from_port == cudaGraphKernelNodePortDefault && edge.type == cudaGraphDependencyTypeDefault;
  });
}

void give_default_edges(cudaGraphEdgeData* edges, const std::size_t* count) {
  if (edges != nullptr && count != nullptr) std::fill(edges, edges + *count, cudaGraphEdgeData{});
}

}  // namespace

cudaError_t give_edges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to, std::size_t* count) {
  if (count == nullptr || (from == nullptr) != (to == nullptr)) return cudaErrorInvalidValue;
  GraphEdges edges;
  const cudaError_t error = graph_edges(graph, &edges);
  if (error != cudaSuccess) return error;
  std::size_t also = *count;
  give_list(edges.to, to, &also);
  return give_list(edges.from, from, count);
}

cudaError_t give_dependencies(cudaGraphNode_t node, cudaGraphNode_t* nodes, std::size_t* count) {
  std::vector<cudaGraphNode_t> before;
  const cudaError_t error = node_dependencies(node, &before);
  return error != cudaSuccess ? error : give_list(before, nodes, count);
}

RUNTIME_CALL_NEEDING(Needs::Device, RENAMED_IN_12(cudaGraphAddDependencies, _v2), cudaGraphAddDependencies, v12030,
                     (cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                      const cudaGraphEdgeData* edgeData, std::size_t numDependencies),
                     (graph, from, to, edgeData, numDependencies)) {
  if (!are_default(edgeData, numDependencies)) return cudaErrorNotSupported;
  return add_dependencies(graph, from, to, numDependencies);
}

RUNTIME_CALL_NEEDING(Needs::Device, RENAMED_IN_12(cudaGraphGetEdges, _v2), cudaGraphGetEdges, v12030,
                     (cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to, cudaGraphEdgeData* edgeData,
                      std::size_t* numEdges),
                     (graph, from, to, edgeData, numEdges)) {
  const cudaError_t error = give_edges(graph, from, to, numEdges);
  if (error == cudaSuccess) give_default_edges(edgeData, numEdges);
  return error;
}

RUNTIME_CALL_NEEDING(Needs::Device, RENAMED_IN_12(cudaGraphNodeGetDependencies, _v2), cudaGraphNodeGetDependencies,
                     v12030,
                     (cudaGraphNode_t node, cudaGraphNode_t* pDependencies, cudaGraphEdgeData* edgeData,
                      std::size_t* pNumDependencies),
                     (node, pDependencies, edgeData, pNumDependencies)) {
  const cudaError_t error = give_dependencies(node, pDependencies, pNumDependencies);
  if (error == cudaSuccess) give_default_edges(edgeData, pNumDependencies);
  return error;
}

}  // namespace simgpu
