// Executable graphs: instantiation, update, launch.
//
// On its stream, a launch is one operation that spans those of the graph: an empty operation precedes the roots, and
// the operation from which the stream continues follows the leaves. Nodes that can run concurrently show streams of
// their own, as on a real device: a node continues the lane of the first node that it depends on, unless another node
// has taken that lane.
#include <algorithm>
#include <map>

#include "simgpu/engine/calls/observation.h"
#include "simgpu/engine/config.h"
#include "simgpu/engine/streams/capture.h"
#include "simgpu/engine/streams/graph_state.h"
#include "simgpu/engine/streams/stream_state.h"
#include "simgpu/engine/timeline/engine_lock.h"
#include "simgpu/engine/timeline/engine_thread.h"
#include "simgpu/engine/timeline/timeline.h"

namespace simgpu {
namespace {

using Step = GraphExec::Step;

// Expands `graph` into `steps`, with its roots after `before`. Returns its leaves: steps that no other step follows.
std::vector<std::size_t> unfold(const Graph& graph, const std::vector<std::size_t>& before, std::vector<Step>* steps) {
  std::map<const GraphNode*, std::vector<std::size_t>> ends;  // the leaves of an expanded node
  std::map<const GraphNode*, bool> has_successor;
  while (ends.size() < graph.nodes.size()) {
    for (const auto& node : graph.nodes) {
      if (ends.count(node.get())) continue;
      std::vector<std::size_t> after = node->after.empty() ? before : std::vector<std::size_t>{};
      const bool is_due = std::all_of(node->after.begin(), node->after.end(),
                                      [&](const GraphNode* one) { return ends.count(one) != 0; });
      if (!is_due) continue;
      for (const GraphNode* one : node->after) {
        has_successor[one] = true;
        after.insert(after.end(), ends[one].begin(), ends[one].end());
      }
      if (!node->runs_child) {
        ends[node.get()] = after;
        continue;
      }
      if (node->child) {
        ends[node.get()] = unfold(*node->child, after, steps);
        continue;
      }
      steps->push_back({node->id, node->request, after, 0});
      ends[node.get()] = {steps->size() - 1};
    }
  }
  std::vector<std::size_t> leaves;
  for (const auto& node : graph.nodes) {
    if (!has_successor[node.get()]) leaves.insert(leaves.end(), ends[node.get()].begin(), ends[node.get()].end());
  }
  return leaves.empty() ? before : leaves;
}

std::uint32_t assign_lanes(std::vector<Step>* steps) {
  std::vector<bool> is_continued(steps->size(), false);
  std::uint32_t lanes = 0;
  for (std::size_t i = 0; i < steps->size(); ++i) {
    Step& step = (*steps)[i];
    const auto free_one =
        std::find_if(step.after.begin(), step.after.end(), [&](std::size_t before) { return !is_continued[before]; });
    if (free_one == step.after.end()) {
      step.lane = lanes++;
      continue;
    }
    is_continued[*free_one] = true;
    step.lane = (*steps)[*free_one].lane;
  }
  return lanes;
}

void keep_objects(const Graph& graph, std::vector<std::shared_ptr<UserObject>>* kept) {
  kept->insert(kept->end(), graph.kept.begin(), graph.kept.end());
  for (const auto& node : graph.nodes) {
    if (node->child) keep_objects(*node->child, kept);
  }
}

std::shared_ptr<GraphExec> make_exec(const Graph& graph) {
  auto exec = std::make_shared<GraphExec>();
  unfold(graph, {}, &exec->steps);
  const std::uint32_t lanes = assign_lanes(&exec->steps);
  exec->lane_streams.resize(lanes > 1 ? lanes - 1 : 0);
  keep_objects(graph, &exec->kept);
  return exec;
}

cudaGraphNodeType node_type_of(SpanKind kind) {
  switch (kind) {
    case SpanKind::Memcpy:
      return cudaGraphNodeTypeMemcpy;
    case SpanKind::Memset:
      return cudaGraphNodeTypeMemset;
    case SpanKind::None:
      return cudaGraphNodeTypeEmpty;
    default:
      return cudaGraphNodeTypeKernel;
  }
}

OperationRef make_step(GraphExec& exec, const Step& step, const StreamRef& stream) {
  OperationRequest request = step.request;
  SpanDescription& span = request.span;
  span.correlation = 0;  // that of this launch, not of the captured call
  span.call = {};
  span.graph = exec.id;
  span.graph_node = step.node;
  span.stream = stream->id;
  if (step.lane > 0) {
    std::uint32_t& lane = exec.lane_streams[step.lane - 1];
    if (!lane) lane = ++StreamRegistry::get().last_stream_id;
    span.stream = lane;
  }
  OperationRef operation = make_operation(stream->device, std::move(request));
  operation->priority = stream->priority;
  return operation;
}

// The operation of the whole launch.
OperationRef close_launch(GraphExec& exec, const StreamRef& stream, const std::vector<OperationRef>& nodes) {
  OperationRequest whole;
  whole.span.kind = SpanKind::Graph;
  whole.span.graph = exec.id;
  OperationRef operation = make_operation(stream->device, std::move(whole));
  operation->request.span.stream = stream->id;
  operation->graph_nodes = nodes;
  return operation;
}

bool has_same_topology(const GraphExec& exec, const GraphExec& other) {
  return exec.steps.size() == other.steps.size() &&
         std::equal(exec.steps.begin(), exec.steps.end(), other.steps.begin(), [](const Step& a, const Step& b) {
           return a.after == b.after && a.request.span.kind == b.request.span.kind;
         });
}

void submit_steps(GraphExec& exec, const StreamRef& stream, const OperationRef& opening) {
  std::vector<OperationRef> nodes;
  for (const Step& step : exec.steps) nodes.push_back(make_step(exec, step, stream));
  const OperationRef closing = close_launch(exec, stream, nodes);
  closing->submitted = opening->submitted;
  Timeline& timeline = Timeline::get();
  std::vector<Nanoseconds> path(nodes.size(), 0);  // the shortest time from the start of the launch to each node's end
  Nanoseconds longest = 0;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    std::vector<OperationRef> before{opening};
    for (const std::size_t earlier : exec.steps[i].after) {
      before.push_back(nodes[earlier]);
      path[i] = std::max(path[i], path[earlier]);
    }
    if (!nodes[i]->external) path[i] += effective_duration(*nodes[i], simulation_start() - 1);
    longest = std::max(longest, path[i]);
    timeline.submit(nodes[i], before);
    const SpanDescription& span = nodes[i]->request.span;
    if (span.kind != SpanKind::None && is_observed()) notify_submitted(nodes[i]->id, span);
  }
  nodes.push_back(opening);
  timeline.submit(closing, nodes);
  if (is_observed()) notify_submitted(closing->id, closing->request.span);
  closing->stream = stream;
  closing->mark = stream->mark += longest;
  stream->pending.push_back(closing);
  stream->last = exec.last_launch = closing;
}

}  // namespace

cudaError_t instantiate_graph(cudaGraph_t graph, cudaGraphExec_t* out) {
  if (!out) return cudaErrorInvalidValue;
  const std::lock_guard<std::mutex> lock(engine_lock());
  GraphRegistry& registry = GraphRegistry::get();
  const auto found = registry.graphs.find(graph);
  if (!found) return cudaErrorInvalidValue;
  auto exec = make_exec(*found);
  exec->id = ++registry.last_exec_id;
  *out = registry.execs.insert<cudaGraphExec_t>(std::move(exec));
  return cudaSuccess;
}

cudaError_t destroy_graph_exec(cudaGraphExec_t exec) {
  std::shared_ptr<GraphExec> found;  // destroyed after the lock is released, like a graph
  const std::lock_guard<std::mutex> lock(engine_lock());
  found = GraphRegistry::get().execs.remove(exec);
  return found ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t update_graph_exec(cudaGraphExec_t exec, cudaGraph_t graph) {
  std::shared_ptr<GraphExec> other;  // destroyed after the lock is released
  const std::lock_guard<std::mutex> lock(engine_lock());
  const auto found = GraphRegistry::get().execs.find(exec);
  const auto changed = GraphRegistry::get().graphs.find(graph);
  if (!found || !changed) return cudaErrorInvalidValue;
  other = make_exec(*changed);
  if (!has_same_topology(*found, *other)) return cudaErrorGraphExecUpdateFailure;
  for (std::size_t i = 0; i < found->steps.size(); ++i) found->steps[i].request = other->steps[i].request;
  std::swap(found->kept, other->kept);
  return cudaSuccess;
}

cudaError_t set_exec_node(cudaGraphExec_t exec, cudaGraphNode_t node, cudaGraphNodeType type,
                          OperationRequest request) {
  const std::lock_guard<std::mutex> lock(engine_lock());
  const auto found = GraphRegistry::get().execs.find(exec);
  const auto changed = GraphRegistry::get().nodes.find(node);
  if (!found || !changed || changed->type != type) return cudaErrorInvalidValue;
  const auto step =
      std::find_if(found->steps.begin(), found->steps.end(), [&](const Step& one) { return one.node == changed->id; });
  if (step == found->steps.end()) return cudaErrorInvalidValue;
  step->request = std::move(request);
  return cudaSuccess;
}

cudaError_t launch_graph(cudaGraphExec_t exec, const StreamRef& stream) {
  if (!stream) return cudaErrorInvalidResourceHandle;
  if (const cudaError_t error = usable(stream->device)) return error;
  const std::lock_guard<std::mutex> lock(engine_lock());
  const auto found = GraphRegistry::get().execs.find(exec);
  if (!found) return cudaErrorInvalidValue;
  if (stream->capture) {
    // A launch in a capture becomes a child graph; here its steps follow each other.
    for (const Step& step : found->steps) {
      if (const cudaError_t error = capture_node(stream, node_type_of(step.request.span.kind), step.request))
        return error;
    }
    return cudaSuccess;
  }
  if (const cudaError_t error = check_implicit_wait(stream)) return error;
  const OperationRef opening = enqueue(stream, {}, {found->last_launch});
  submit_steps(*found, stream, opening);
  const auto any_step = [&](auto&& has) { return std::any_of(found->steps.begin(), found->steps.end(), has); };
  const bool calls_host = any_step([](const Step& step) { return step.request.host_function != nullptr; });
  const bool awaits_peers = any_step([](const Step& step) { return step.request.external != nullptr; });
  if (calls_host) start_callback_thread();
  if (calls_host || awaits_peers) wake_engine_thread();
  Timeline::get().advance(host_now());
  return cudaSuccess;
}

}  // namespace simgpu
