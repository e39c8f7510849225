// Replays repeated work as a graph. The first call with a key captures it.
#pragma once

#include <cuda_runtime_api.h>

#include <functional>
#include <map>

namespace training {

class StepGraph {
 public:
  explicit StepGraph(cudaStream_t stream) : stream_(stream) {}
  ~StepGraph();
  StepGraph(const StepGraph&) = delete;
  StepGraph& operator=(const StepGraph&) = delete;

  void run(int key, const std::function<void()>& work);

 private:
  cudaGraphExec_t capture(const std::function<void()>& work);

  cudaStream_t stream_;
  std::map<int, cudaGraphExec_t> graphs_;
};

}  // namespace training
