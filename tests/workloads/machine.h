// The libraries, streams, groups and memory that the layers of a rank share.
#pragma once

#include <cuda_runtime_api.h>

#include "communicator.h"
#include "gemm.h"
#include "kernels/elementwise.h"
#include "options.h"
#include "ranks.h"
#include "scratch.h"

namespace training {

// A stream that synchronizes with the legacy default stream, as in most programs.
class ComputeStream {
 public:
  ComputeStream();
  ~ComputeStream();
  ComputeStream(const ComputeStream&) = delete;
  ComputeStream& operator=(const ComputeStream&) = delete;
  cudaStream_t get() const { return stream_; }

 private:
  cudaStream_t stream_ = nullptr;
};

struct Machine {
  Machine(const Options& options, const RankPlacement& placement);

  // Applies the disturbances of this step.
  void start_step(int step);
  // Called after a layer: waits for the device if an option asks for it.
  void end_layer() const;

  int tokens() const { return options.batch * options.sequence; }
  Slicing slicing() const { return {options.slices}; }
  int stage() const { return groups.pipeline->rank(); }
  bool is_first_stage() const { return stage() == 0; }
  bool is_last_stage() const { return stage() + 1 == groups.pipeline->size(); }

  const Options& options;
  const RankPlacement& placement;
  ComputeStream stream;
  cudaStream_t compute;
  Scratch scratch;
  Gemm gemm;
  Groups groups;
  int step = 0;
  bool accumulates = false;  // this micro-batch's gradients are added to those of earlier ones
};

}  // namespace training
