// A group of ranks with a stream for its collectives, and the arrangement of ranks in groups.
#pragma once

#include <cuda_runtime_api.h>
#include <nccl.h>

#include <memory>
#include <vector>

#include "kernels/element.h"
#include "options.h"
#include "ranks.h"

namespace training {

// A group of one rank makes no calls.
class Communicator {
 public:
  // With a null `stream`, collectives are issued on `compute`.
  Communicator(ncclComm_t comm, cudaStream_t stream, cudaStream_t compute);
  ~Communicator();
  Communicator(const Communicator&) = delete;
  Communicator& operator=(const Communicator&) = delete;

  int rank() const { return rank_; }
  int size() const { return size_; }
  ncclComm_t get() const { return comm_; }
  cudaStream_t compute() const { return compute_; }

  // The stream to issue on, ordered after all work that is on the compute stream now.
  cudaStream_t begin();
  // Orders later work of the compute stream after everything issued here.
  void join();

  void all_reduce(Element* data, std::size_t count, ncclRedOp_t operation = ncclSum);
  void all_reduce(float* data, std::size_t count);

 private:
  ncclComm_t comm_;
  int rank_ = 0;
  int size_ = 1;
  cudaStream_t stream_;
  cudaStream_t compute_;
  cudaEvent_t event_ = nullptr;
};

// rank = tensor rank + tensor · (data rank + data · stage): ranks that share a layer are neighbours.
struct Groups {
  Groups(const RankPlacement& placement, const Options& options, cudaStream_t compute);

  Communicator* world;
  Communicator* tensor;
  Communicator* data;
  Communicator* pipeline;

 private:
  std::vector<std::unique_ptr<Communicator>> owned_;
};

}  // namespace training
