// The state of graphs. The engine's lock guards all fields.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "simgpu/engine/graph.h"
#include "simgpu/engine/handle_table.h"
#include "simgpu/engine/timeline/operation_state.h"

namespace simgpu {

struct Graph;

// See user_object.h.
class UserObject {
 public:
  UserObject(void* pointer, cudaHostFn_t destroy) : pointer_(pointer), destroy_(destroy) {}
  ~UserObject() { destroy_(pointer_); }
  UserObject(const UserObject&) = delete;
  UserObject& operator=(const UserObject&) = delete;

 private:
  void* pointer_;
  cudaHostFn_t destroy_;
};

struct GraphNode {
  std::uint64_t id = 0;
  cudaGraphNode_t handle = nullptr;
  cudaGraphNodeType type = cudaGraphNodeTypeEmpty;
  OperationRequest request;
  std::vector<GraphNode*> after;
  Graph* owner = nullptr;
  std::shared_ptr<Graph> child;
  cudaGraph_t child_handle = nullptr;  // null: nobody has asked for it
  bool runs_child = true;              // false: the condition of its conditional node is 0
};

struct Graph {
  std::vector<std::shared_ptr<GraphNode>> nodes;  // in the order of creation
  std::vector<std::shared_ptr<UserObject>> kept;  // one for each reference
};

// A graph that is ready to launch: its nodes in topological order, with child graphs expanded.
struct GraphExec {
  struct Step {
    std::uint64_t node = 0;
    OperationRequest request;
    std::vector<std::size_t> after;  // earlier steps
    std::uint32_t lane = 0;  // 0: the launching stream; other lanes run concurrently and show streams of their own
  };
  std::uint32_t id = 0;
  std::vector<Step> steps;
  std::vector<std::uint32_t> lane_streams;  // stream ids of lanes 1, 2 …, made at the first launch
  OperationRef last_launch;                 // a graph never runs concurrently with itself
  std::vector<std::shared_ptr<UserObject>> kept;
};

struct GraphRegistry {
  HandleTable<Graph> graphs{0x530000000};
  HandleTable<GraphNode> nodes{0x540000000};
  HandleTable<GraphExec> execs{0x550000000};
  std::vector<bool> conditions;  // by handle - 1: whether a launch makes it non-zero
  std::uint64_t last_node_id = 0;
  std::uint32_t last_exec_id = 0;
  unsigned long long last_capture_id = 0;

  static GraphRegistry& get();
};

GraphNode* add_graph_node(const std::shared_ptr<Graph>& graph, cudaGraphNodeType type, OperationRequest request,
                          std::vector<GraphNode*> after);

}  // namespace simgpu
