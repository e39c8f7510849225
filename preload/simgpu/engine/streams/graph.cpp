// Building and inspecting graphs. graph_launch.cpp launches them.
#include "simgpu/engine/graph.h"

#include <algorithm>
#include <map>

#include "simgpu/engine/streams/graph_state.h"
#include "simgpu/engine/timeline/engine_lock.h"

namespace simgpu {
namespace {

// Null if one of the handles names no node of this graph.
bool nodes_of(const Graph& graph, const std::vector<cudaGraphNode_t>& handles, std::vector<GraphNode*>* out) {
  for (const cudaGraphNode_t handle : handles) {
    const auto node = GraphRegistry::get().nodes.find(handle);
    if (!node || node->owner != &graph) return false;
    out->push_back(node.get());
  }
  return true;
}

std::shared_ptr<Graph> copy_graph(const Graph& original) {
  auto copy = std::make_shared<Graph>();
  copy->kept = original.kept;
  std::map<const GraphNode*, GraphNode*> twins;
  for (const auto& node : original.nodes) {
    GraphNode* twin = add_graph_node(copy, node->type, node->request, {});
    if (node->child) twin->child = copy_graph(*node->child);
    twin->runs_child = node->runs_child;
    twins[node.get()] = twin;
  }
  for (const auto& node : original.nodes) {
    for (const GraphNode* before : node->after) twins[node.get()]->after.push_back(twins[before]);
  }
  return copy;
}

bool depends_on(const GraphNode* node, const GraphNode* other) {
  if (node == other) return true;
  return std::any_of(node->after.begin(), node->after.end(),
                     [other](const GraphNode* before) { return depends_on(before, other); });
}

}  // namespace

GraphRegistry& GraphRegistry::get() {
  static auto& registry = *new GraphRegistry;
  return registry;
}

GraphNode* add_graph_node(const std::shared_ptr<Graph>& graph, cudaGraphNodeType type, OperationRequest request,
                          std::vector<GraphNode*> after) {
  auto node = std::make_shared<GraphNode>();
  GraphRegistry& registry = GraphRegistry::get();
  node->id = ++registry.last_node_id;
  node->type = type;
  node->request = std::move(request);
  node->after = std::move(after);
  node->owner = graph.get();
  node->handle = registry.nodes.insert<cudaGraphNode_t>(node);
  graph->nodes.push_back(node);
  return node.get();
}

cudaError_t create_graph(cudaGraph_t* out) {
  if (!out) return cudaErrorInvalidValue;
  const std::lock_guard<std::mutex> lock(engine_lock());
  *out = GraphRegistry::get().graphs.insert<cudaGraph_t>(std::make_shared<Graph>());
  return cudaSuccess;
}

cudaError_t clone_graph(cudaGraph_t graph, cudaGraph_t* out) {
  if (!out) return cudaErrorInvalidValue;
  const std::lock_guard<std::mutex> lock(engine_lock());
  const auto original = GraphRegistry::get().graphs.find(graph);
  if (!original) return cudaErrorInvalidValue;
  *out = GraphRegistry::get().graphs.insert<cudaGraph_t>(copy_graph(*original));
  return cudaSuccess;
}

cudaError_t destroy_graph(cudaGraph_t graph) {
  std::shared_ptr<Graph> found;  // destroyed after the lock is released: user objects have destructors of the program
  const std::lock_guard<std::mutex> lock(engine_lock());
  found = GraphRegistry::get().graphs.remove(graph);
  if (!found) return cudaErrorInvalidValue;
  for (const auto& node : found->nodes) {
    GraphRegistry::get().nodes.remove(node->handle);
    if (node->child_handle) GraphRegistry::get().graphs.remove(node->child_handle);
  }
  return cudaSuccess;
}

cudaError_t add_node(cudaGraph_t graph, cudaGraphNodeType type, OperationRequest request,
                     const std::vector<cudaGraphNode_t>& after, cudaGraphNode_t* out, cudaGraph_t child) {
  if (!out) return cudaErrorInvalidValue;
  const std::lock_guard<std::mutex> lock(engine_lock());
  const auto found = GraphRegistry::get().graphs.find(graph);
  std::vector<GraphNode*> before;
  if (!found || !nodes_of(*found, after, &before)) return cudaErrorInvalidValue;
  std::shared_ptr<Graph> inner;
  if (child) {
    inner = GraphRegistry::get().graphs.find(child);
    if (!inner || inner == found) return cudaErrorInvalidValue;
    inner = copy_graph(*inner);  // "the child graph is cloned"
  }
  GraphNode* node = add_graph_node(found, type, std::move(request), std::move(before));
  node->child = std::move(inner);
  *out = node->handle;
  return cudaSuccess;
}

cudaError_t add_dependencies(cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                             std::size_t count) {
  const std::lock_guard<std::mutex> lock(engine_lock());
  const auto found = GraphRegistry::get().graphs.find(graph);
  if (!found) return cudaErrorInvalidValue;
  for (std::size_t i = 0; i < count; ++i) {
    std::vector<GraphNode*> ends;
    if (!nodes_of(*found, {from[i], to[i]}, &ends)) return cudaErrorInvalidValue;
    auto& after = ends[1]->after;
    const bool is_known = std::find(after.begin(), after.end(), ends[0]) != after.end();
    if (is_known || depends_on(ends[0], ends[1])) return cudaErrorInvalidValue;
    after.push_back(ends[0]);
  }
  return cudaSuccess;
}

cudaError_t graph_nodes(cudaGraph_t graph, std::vector<cudaGraphNode_t>* out) {
  const std::lock_guard<std::mutex> lock(engine_lock());
  const auto found = GraphRegistry::get().graphs.find(graph);
  if (!found) return cudaErrorInvalidValue;
  for (const auto& node : found->nodes) out->push_back(node->handle);
  return cudaSuccess;
}

cudaError_t graph_edges(cudaGraph_t graph, GraphEdges* out) {
  const std::lock_guard<std::mutex> lock(engine_lock());
  const auto found = GraphRegistry::get().graphs.find(graph);
  if (!found) return cudaErrorInvalidValue;
  for (const auto& node : found->nodes) {
    for (const GraphNode* before : node->after) {
      out->from.push_back(before->handle);
      out->to.push_back(node->handle);
    }
  }
  return cudaSuccess;
}

cudaError_t node_type(cudaGraphNode_t node, cudaGraphNodeType* out) {
  const std::lock_guard<std::mutex> lock(engine_lock());
  const auto found = GraphRegistry::get().nodes.find(node);
  if (!found || !out) return cudaErrorInvalidValue;
  *out = found->type;
  return cudaSuccess;
}

cudaError_t node_content(cudaGraphNode_t node, NodeContent* out) {
  const std::lock_guard<std::mutex> lock(engine_lock());
  const auto found = GraphRegistry::get().nodes.find(node);
  if (!found) return cudaErrorInvalidValue;
  *out = {found->type, found->request.span};
  return cudaSuccess;
}

cudaError_t node_graph(cudaGraphNode_t node, cudaGraph_t* out) {
  const std::lock_guard<std::mutex> lock(engine_lock());
  GraphRegistry& registry = GraphRegistry::get();
  const auto found = registry.nodes.find(node);
  if (!found || !found->child || !out) return cudaErrorInvalidValue;
  if (!found->child_handle) found->child_handle = registry.graphs.insert<cudaGraph_t>(found->child);
  *out = found->child_handle;
  return cudaSuccess;
}

cudaError_t create_condition(cudaGraph_t graph, bool is_met, cudaGraphConditionalHandle* out) {
  const std::lock_guard<std::mutex> lock(engine_lock());
  GraphRegistry& registry = GraphRegistry::get();
  if (!out || !registry.graphs.find(graph)) return cudaErrorInvalidValue;
  registry.conditions.push_back(is_met);
  *out = registry.conditions.size();
  return cudaSuccess;
}

cudaError_t add_conditional_node(cudaGraph_t graph, cudaGraphConditionalHandle condition,
                                 const std::vector<cudaGraphNode_t>& after, cudaGraphNode_t* out, cudaGraph_t** body) {
  const std::lock_guard<std::mutex> lock(engine_lock());
  GraphRegistry& registry = GraphRegistry::get();
  const auto found = registry.graphs.find(graph);
  std::vector<GraphNode*> before;
  if (!found || !nodes_of(*found, after, &before)) return cudaErrorInvalidValue;
  if (condition == 0 || condition > registry.conditions.size()) return cudaErrorInvalidValue;
  GraphNode* const node = add_graph_node(found, cudaGraphNodeTypeConditional, {}, std::move(before));
  node->child = std::make_shared<Graph>();
  node->child_handle = registry.graphs.insert<cudaGraph_t>(node->child);
  node->runs_child = registry.conditions[condition - 1];
  *out = node->handle;
  *body = &node->child_handle;
  return cudaSuccess;
}

cudaError_t node_dependencies(cudaGraphNode_t node, std::vector<cudaGraphNode_t>* out) {
  const std::lock_guard<std::mutex> lock(engine_lock());
  const auto found = GraphRegistry::get().nodes.find(node);
  if (!found) return cudaErrorInvalidValue;
  for (const GraphNode* before : found->after) out->push_back(before->handle);
  return cudaSuccess;
}

}  // namespace simgpu
