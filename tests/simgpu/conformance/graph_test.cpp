// Graphs: their order in a stream, of their nodes, and of repeated launches; update; lifetimes.
#include <atomic>
#include <vector>

#include "captured_graph.h"

namespace conformance {
namespace {

void CUDART_CB count_up(void* counter) { ++*static_cast<std::atomic<int>*>(counter); }

cudaGraphNode_t add_host_node(cudaGraph_t graph, const std::vector<cudaGraphNode_t>& after, cudaHostFn_t function,
                              void* data) {
  cudaHostNodeParams params{};
  params.fn = function;
  params.userData = data;
  cudaGraphNode_t node = nullptr;
  EXPECT_CUDA(cudaGraphAddHostNode(&node, graph, after.data(), after.size(), &params));
  return node;
}

// Runtime, cudaGraphLaunch: each launch is ordered behind any previous work in the stream.
TEST(GraphLaunch, IsOrderedInItsStream) {
  Stream stream;
  Event begin, end;
  Graph graph(capture_spins({50ms, 50ms}));
  GraphExec exec(graph);
  ASSERT_CUDA(cudaEventRecord(begin, stream));
  ASSERT_CUDA(spin_on(stream, 50ms));
  ASSERT_CUDA(cudaGraphLaunch(exec, stream));
  ASSERT_CUDA(spin_on(stream, 50ms));
  ASSERT_CUDA(cudaEventRecord(end, stream));
  EXPECT_GE(ms_between(begin, end), at_least_ms(200ms));
}

// The same: a launch is asynchronous.
TEST(GraphLaunch, ReturnsBeforeTheGraphEnds) {
  Stream stream;
  Graph graph(capture_spins({kLong}));
  GraphExec exec(graph);
  ASSERT_CUDA(cudaGraphLaunch(exec, stream));
  EXPECT_EQ(cudaErrorNotReady, cudaStreamQuery(stream));
  ASSERT_CUDA(cudaStreamSynchronize(stream));
}

// Runtime, cudaGraphLaunch: only one instance of an executable graph may be executing at a time: each launch is ordered
// behind any previous launches of it.
TEST(GraphLaunch, OfOneExecNeverRunsBesideItself) {
  Gate gate;
  Stream one(cudaStreamNonBlocking), other(cudaStreamNonBlocking);
  Event one_done, end;
  Graph graph(capture_spins({100ms}));
  GraphExec exec(graph);
  gate.hold(one);
  gate.hold(other);
  ASSERT_CUDA(cudaGraphLaunch(exec, one));
  ASSERT_CUDA(cudaEventRecord(one_done, one));
  ASSERT_CUDA(cudaGraphLaunch(exec, other));
  ASSERT_CUDA(cudaStreamWaitEvent(other, one_done, 0));
  ASSERT_CUDA(cudaEventRecord(end, other));
  EXPECT_GE(ms_between(gate.opening(), end), at_least_ms(200ms));
}

// The same: to execute a graph concurrently, it must be instantiated multiple times.
TEST(GraphLaunch, OfTwoExecsMayRunSideBySide) {
  Gate gate;
  Stream one(cudaStreamNonBlocking), other(cudaStreamNonBlocking);
  Event one_done, end;
  Graph graph(capture_spins({100ms}));
  GraphExec first(graph), second(graph);
  gate.hold(one);
  gate.hold(other);
  ASSERT_CUDA(cudaGraphLaunch(first, one));
  ASSERT_CUDA(cudaEventRecord(one_done, one));
  ASSERT_CUDA(cudaGraphLaunch(second, other));
  ASSERT_CUDA(cudaStreamWaitEvent(other, one_done, 0));
  ASSERT_CUDA(cudaEventRecord(end, other));
  EXPECT_LE(ms_between(gate.opening(), end), at_most_ms(100ms));
}

// Guide, "Graph Structure": an operation may be scheduled at any time once the nodes on which it depends are complete.
TEST(GraphNodes, WithoutDependencyMayRunSideBySide) {
  Stream side(cudaStreamNonBlocking);
  Event fork, join;
  Graph graph(capture([&](cudaStream_t stream) {
    EXPECT_CUDA(cudaEventRecord(fork, stream));
    EXPECT_CUDA(cudaStreamWaitEvent(side, fork, 0));
    EXPECT_CUDA(spin_on(stream, 100ms));
    EXPECT_CUDA(spin_on(side, 100ms));
    EXPECT_CUDA(cudaEventRecord(join, side));
    EXPECT_CUDA(cudaStreamWaitEvent(stream, join, 0));
  }));
  GraphExec exec(graph);
  Gate gate;
  Stream stream(cudaStreamNonBlocking);
  Event end;
  gate.hold(stream);
  ASSERT_CUDA(cudaGraphLaunch(exec, stream));
  ASSERT_CUDA(cudaEventRecord(end, stream));
  EXPECT_LE(ms_between(gate.opening(), end), at_most_ms(100ms));
}

// The same: dependencies between operations are the edges; they constrain the execution sequence.
TEST(GraphNodes, RunAfterWhatTheyDependOn) {
  struct Order {
    std::atomic<int> count{0};
    int first = -1, second = -1;
  } order;
  Graph graph;
  const auto first = add_host_node(
      graph, {},
      [](void* data) {
        auto* o = static_cast<Order*>(data);
        o->first = o->count++;
      },
      &order);
  const auto second = add_host_node(
      graph, {first},
      [](void* data) {
        auto* o = static_cast<Order*>(data);
        o->second = o->count++;
      },
      &order);
  cudaGraphNode_t join = nullptr;
  ASSERT_CUDA(cudaGraphAddEmptyNode(&join, graph, &second, 1));
  EXPECT_EQ(3u, graph.node_count());
  cudaGraphNodeType type = cudaGraphNodeTypeKernel;
  ASSERT_CUDA(cudaGraphNodeGetType(join, &type));
  EXPECT_EQ(cudaGraphNodeTypeEmpty, type);
  GraphExec exec(graph);
  Stream stream;
  ASSERT_CUDA(cudaGraphLaunch(exec, stream));
  ASSERT_CUDA(cudaStreamSynchronize(stream));
  EXPECT_EQ(0, order.first);
  EXPECT_EQ(1, order.second);
}

// Guide, "Using Graphs": an executable graph may be launched any number of times without repeating the instantiation.
TEST(GraphLaunch, CanBeRepeated) {
  std::atomic<int> count{0};
  Graph graph;
  add_host_node(graph, {}, count_up, &count);
  GraphExec exec(graph);
  Stream stream;
  for (int i = 0; i < 5; ++i) ASSERT_CUDA(cudaGraphLaunch(exec, stream));
  ASSERT_CUDA(cudaStreamSynchronize(stream));
  EXPECT_EQ(5, count);
}

// The same: instantiation takes a snapshot of the graph template, which may be destroyed.
TEST(GraphExecution, OutlivesItsGraph) {
  std::atomic<int> count{0};
  cudaGraph_t graph = nullptr;
  ASSERT_CUDA(cudaGraphCreate(&graph, 0));
  add_host_node(graph, {}, count_up, &count);
  GraphExec exec(graph);
  add_host_node(graph, {}, count_up, &count);
  ASSERT_CUDA(cudaGraphDestroy(graph));
  Stream stream;
  ASSERT_CUDA(cudaGraphLaunch(exec, stream));
  ASSERT_CUDA(cudaStreamSynchronize(stream));
  EXPECT_EQ(1, count);
}

// Runtime, cudaGraphExecUpdate: updates the node parameters in the instantiated graph with those of a topologically
// identical graph.
TEST(GraphUpdate, TakesTheNewParameters) {
  Graph short_graph(capture_spins({1ms})), long_graph(capture_spins({100ms}));
  GraphExec exec(short_graph);
  cudaGraphExecUpdateResultInfo info{};
  ASSERT_CUDA(cudaGraphExecUpdate(exec, long_graph, &info));
  EXPECT_EQ(cudaGraphExecUpdateSuccess, info.result);
  Stream stream;
  Event begin, end;
  ASSERT_CUDA(cudaEventRecord(begin, stream));
  ASSERT_CUDA(cudaGraphLaunch(exec, stream));
  ASSERT_CUDA(cudaEventRecord(end, stream));
  EXPECT_GE(ms_between(begin, end), at_least_ms(100ms));
}

// The same: cudaErrorGraphExecUpdateFailure where the topology has changed; the executable graph stays as it was.
TEST(GraphUpdate, RefusesAnotherTopology) {
  Graph one(capture_spins({1ms})), two(capture_spins({1ms, 1ms}));
  GraphExec exec(one);
  cudaGraphExecUpdateResultInfo info{};
  EXPECT_EQ(cudaErrorGraphExecUpdateFailure, cudaGraphExecUpdate(exec, two, &info));
  EXPECT_NE(cudaGraphExecUpdateSuccess, info.result);
  cudaGetLastError();
  Stream stream;
  EXPECT_CUDA(cudaGraphLaunch(exec, stream));
  EXPECT_CUDA(cudaStreamSynchronize(stream));
}

// Runtime, cudaGraphExecMemcpyNodeSetParams1D: the modifications only affect future launches; hNode is not modified.
TEST(GraphUpdate, OfOneNodeAffectsLaterLaunches) {
  DeviceMemory from(256), to(256);
  ASSERT_CUDA(cudaMemset(from.get(), 7, 256));
  ASSERT_CUDA(cudaMemset(to.get(), 0, 256));
  Graph graph;
  cudaGraphNode_t node = nullptr;
  ASSERT_CUDA(cudaGraphAddMemcpyNode1D(&node, graph, nullptr, 0, to.get(), from.get(), 256, cudaMemcpyDeviceToDevice));
  GraphExec exec(graph);
  ASSERT_CUDA(cudaGraphExecMemcpyNodeSetParams1D(exec, node, to.get(), from.get(), 128, cudaMemcpyDeviceToDevice));
  Stream stream;
  ASSERT_CUDA(cudaGraphLaunch(exec, stream));
  ASSERT_CUDA(cudaStreamSynchronize(stream));
  char last = 1;
  ASSERT_CUDA(cudaMemcpy(&last, to.get() + 255, 1, cudaMemcpyDeviceToHost));
  EXPECT_EQ(0, last);
}

// Runtime, cudaConditionalNodeParams: of cudaGraphCondTypeIf, phGraph_out[0] is executed when the condition is
// non-zero. cudaGraphConditionalHandleCreate: with cudaGraphCondAssignDefault, each launch assigns the default.
TEST(GraphConditional, RunsItsBodyIfTheConditionIsMet) {
  for (const unsigned met : {0u, 1u}) {
    Graph graph, body(capture_spins({100ms}));
    cudaGraphNodeParams params{};
    params.type = cudaGraphNodeTypeConditional;
    params.conditional.type = cudaGraphCondTypeIf;
    params.conditional.size = 1;
    ASSERT_CUDA(cudaGraphConditionalHandleCreate(&params.conditional.handle, graph, met, cudaGraphCondAssignDefault));
    cudaGraphNode_t node = nullptr, inner = nullptr;
    ASSERT_CUDA(cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &params));
    ASSERT_CUDA(cudaGraphAddChildGraphNode(&inner, params.conditional.phGraph_out[0], nullptr, 0, body));
    GraphExec exec(graph);
    Stream stream;
    Event begin, end;
    ASSERT_CUDA(cudaEventRecord(begin, stream));
    ASSERT_CUDA(cudaGraphLaunch(exec, stream));
    ASSERT_CUDA(cudaEventRecord(end, stream));
    if (met != 0)
      EXPECT_GE(ms_between(begin, end), at_least_ms(100ms));
    else
      EXPECT_LT(ms_between(begin, end), 100);
  }
}

// Runtime, cudaGraphClone: a copy of the graph; the original may be modified or destroyed.
TEST(GraphClone, IsIndependent) {
  std::atomic<int> count{0};
  cudaGraph_t copied = nullptr;
  {
    Graph original;
    add_host_node(original, {}, count_up, &count);
    ASSERT_CUDA(cudaGraphClone(&copied, original));
    add_host_node(original, {}, count_up, &count);
  }
  Graph copy(copied);
  EXPECT_EQ(1u, copy.node_count());
  GraphExec exec(copy);
  Stream stream;
  ASSERT_CUDA(cudaGraphLaunch(exec, stream));
  ASSERT_CUDA(cudaStreamSynchronize(stream));
  EXPECT_EQ(1, count);
}

}  // namespace
}  // namespace conformance
