// Graphs: captured or built by hand, instantiated, launched. The rules for errors and locks are those of stream.h.
#pragma once

#include <driver_types.h>

#include <cstdint>
#include <vector>

#include "simgpu/engine/span.h"
#include "simgpu/engine/stream.h"
#include "simgpu/engine/visibility.h"

namespace simgpu {

SIMGPU_API cudaError_t begin_capture(const StreamRef& stream, cudaStreamCaptureMode mode);
SIMGPU_API cudaError_t end_capture(const StreamRef& stream, cudaGraph_t* out);
struct CaptureInfo {
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  unsigned long long id = 0;
  cudaGraph_t graph = nullptr;
  std::vector<cudaGraphNode_t> dependencies;  // of the next node on this stream
};
SIMGPU_API cudaError_t capture_info(const StreamRef& stream, CaptureInfo* out);
SIMGPU_API cudaError_t update_capture_dependencies(const StreamRef& stream, const std::vector<cudaGraphNode_t>& nodes,
                                                   bool replace);
// Exchanges the calling thread's mode, like cudaThreadExchangeStreamCaptureMode.
SIMGPU_API cudaError_t exchange_capture_mode(cudaStreamCaptureMode* mode);

SIMGPU_API cudaError_t create_graph(cudaGraph_t* out);
SIMGPU_API cudaError_t clone_graph(cudaGraph_t graph, cudaGraph_t* out);
SIMGPU_API cudaError_t destroy_graph(cudaGraph_t graph);
// `type` is what cudaGraphNodeGetType reports. The node of a child graph carries `child`.
SIMGPU_API cudaError_t add_node(cudaGraph_t graph, cudaGraphNodeType type, OperationRequest request,
                                const std::vector<cudaGraphNode_t>& after, cudaGraphNode_t* out,
                                cudaGraph_t child = nullptr);
SIMGPU_API cudaError_t add_dependencies(cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                                        std::size_t count);
SIMGPU_API cudaError_t graph_nodes(cudaGraph_t graph, std::vector<cudaGraphNode_t>* out);
struct GraphEdges {
  std::vector<cudaGraphNode_t> from, to;
};
SIMGPU_API cudaError_t graph_edges(cudaGraph_t graph, GraphEdges* out);
SIMGPU_API cudaError_t node_type(cudaGraphNode_t node, cudaGraphNodeType* out);
struct NodeContent {
  cudaGraphNodeType type = cudaGraphNodeTypeEmpty;
  SpanDescription span;
};
SIMGPU_API cudaError_t node_content(cudaGraphNode_t node, NodeContent* out);
// The graph of a child or conditional node.
SIMGPU_API cudaError_t node_graph(cudaGraphNode_t node, cudaGraph_t* out);
// Kernels cannot change a condition here: it has the value that each launch assigns.
SIMGPU_API cudaError_t create_condition(cudaGraph_t graph, bool is_met, cudaGraphConditionalHandle* out);
// A node whose body, an empty graph now, runs if the condition is met.
SIMGPU_API cudaError_t add_conditional_node(cudaGraph_t graph, cudaGraphConditionalHandle condition,
                                            const std::vector<cudaGraphNode_t>& after, cudaGraphNode_t* out,
                                            cudaGraph_t** body);
SIMGPU_API cudaError_t node_dependencies(cudaGraphNode_t node, std::vector<cudaGraphNode_t>* out);

SIMGPU_API cudaError_t instantiate_graph(cudaGraph_t graph, cudaGraphExec_t* out);
SIMGPU_API cudaError_t destroy_graph_exec(cudaGraphExec_t exec);
// Replaces the nodes' parameters if the topology is the same; else returns cudaErrorGraphExecUpdateFailure.
SIMGPU_API cudaError_t update_graph_exec(cudaGraphExec_t exec, cudaGraph_t graph);
// Replaces what `node` does in `exec`; `type` is what it must be.
SIMGPU_API cudaError_t set_exec_node(cudaGraphExec_t exec, cudaGraphNode_t node, cudaGraphNodeType type,
                                     OperationRequest request);
SIMGPU_API cudaError_t launch_graph(cudaGraphExec_t exec, const StreamRef& stream);

}  // namespace simgpu
