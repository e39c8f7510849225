// What the layers of a rank compute with.
#pragma once

#include <cuda_runtime_api.h>

#include "communicator.h"
#include "gemm.h"
#include "kernels/elementwise.h"
#include "options.h"
#include "ranks.h"
#include "scratch.h"

namespace training {

// A stream that orders itself against the legacy default stream, as that of most programs does.
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
  Machine(const Options& options, const RankPlace& place);

  // Takes up what goes wrong in this step.
  void begin_step(int step);
  // Of a layer: waits for the device, where that is asked for.
  void end_layer() const;

  int tokens() const { return options.batch * options.sequence; }
  Slicing slicing() const { return {options.slices}; }
  int stage() const { return groups.pipeline->rank(); }
  bool is_first_stage() const { return stage() == 0; }
  bool is_last_stage() const { return stage() + 1 == groups.pipeline->size(); }

  const Options& options;
  const RankPlace& place;
  ComputeStream stream;
  cudaStream_t compute;
  Scratch scratch;
  Gemm gemm;
  Groups groups;
  int step = 0;
  bool accumulates = false;  // gradients of this micro-batch are added to those of the ones before
};

}  // namespace training
