// Owners of graphs, and a function that captures one.
#pragma once

#include <vector>

#include "device_objects.h"

namespace conformance {

class Graph {
 public:
  explicit Graph(cudaGraph_t handle) : handle_(handle) {}
  Graph() { EXPECT_CUDA(cudaGraphCreate(&handle_, 0)); }
  ~Graph() {
    if (handle_ != nullptr) {
      EXPECT_CUDA(cudaGraphDestroy(handle_));
    }
  }
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;
  operator cudaGraph_t() const { return handle_; }

  std::size_t node_count() const {
    std::size_t count = 0;
    EXPECT_CUDA(cudaGraphGetNodes(handle_, nullptr, &count));
    return count;
  }

 private:
  cudaGraph_t handle_ = nullptr;
};

class GraphExec {
 public:
  explicit GraphExec(cudaGraph_t graph) { EXPECT_CUDA(cudaGraphInstantiateWithFlags(&handle_, graph, 0)); }
  ~GraphExec() { EXPECT_CUDA(cudaGraphExecDestroy(handle_)); }
  GraphExec(const GraphExec&) = delete;
  GraphExec& operator=(const GraphExec&) = delete;
  operator cudaGraphExec_t() const { return handle_; }

 private:
  cudaGraphExec_t handle_ = nullptr;
};

// Captures what `work(stream)` queues. The caller owns the graph.
template <typename Work>
cudaGraph_t capture(Work work) {
  Stream stream(cudaStreamNonBlocking);
  cudaGraph_t graph = nullptr;
  EXPECT_CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  work(stream);
  EXPECT_CUDA(cudaStreamEndCapture(stream, &graph));
  return graph;
}

inline cudaGraph_t capture_spins(const std::vector<std::chrono::milliseconds>& lengths) {
  return capture([&lengths](cudaStream_t stream) {
    for (const auto length : lengths) EXPECT_CUDA(spin_on(stream, length));
  });
}

}  // namespace conformance
