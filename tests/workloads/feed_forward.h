// Two products with GELU between them. Each rank of a tensor-parallel group has a share of the inner columns.
#pragma once

#include "gradient_sync.h"
#include "machine.h"

namespace training {

class FeedForward {
 public:
  struct Saved {
    Buffer inner, activated;
  };

  // The weights of an expert exist only on this rank.
  FeedForward(Machine& machine, Parameters& parameters, bool is_expert);

  Buffer forward(const Buffer& in, int rows, Saved& saved);
  Buffer backward(const Buffer& out_gradient, const Buffer& in, int rows, const Saved& saved, GradientSync& sync);

 private:
  Machine& machine_;
  Parameters& parameters_;
  int inner_;
  int down_, up_;
};

}  // namespace training
