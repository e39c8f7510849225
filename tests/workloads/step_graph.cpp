// See step_graph.h.
#include "step_graph.h"

#include "checks.h"

namespace training {

StepGraph::~StepGraph() {
  for (const auto& [key, graph] : graphs_) check(cudaGraphExecDestroy(graph), "cudaGraphExecDestroy");
}

void StepGraph::run(int key, const std::function<void()>& work) {
  const auto found = graphs_.find(key);
  const cudaGraphExec_t graph =
      found != graphs_.end() ? found->second : graphs_.emplace(key, capture(work)).first->second;
  check(cudaGraphLaunch(graph, stream_), "cudaGraphLaunch");
}

cudaGraphExec_t StepGraph::capture(const std::function<void()>& work) {
  // Relaxed, because the loader's thread may make calls that a capture forbids.
  check(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeRelaxed), "cudaStreamBeginCapture");
  work();
  cudaGraph_t graph = nullptr;
  check(cudaStreamEndCapture(stream_, &graph), "cudaStreamEndCapture");
  cudaGraphExec_t executable = nullptr;
  check(cudaGraphInstantiate(&executable, graph, 0), "cudaGraphInstantiate");
  check(cudaGraphDestroy(graph), "cudaGraphDestroy");
  return executable;
}

}  // namespace training
