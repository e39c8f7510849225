// Causal self-attention. Each rank of a tensor-parallel group has a share of the heads.
#pragma once

#include "gradient_sync.h"
#include "kernels/attention.h"
#include "machine.h"

namespace training {

class AttentionBlock {
 public:
  struct Saved {
    Buffer heads;  // queries, keys and values
    Buffer probabilities;
    Buffer merged;
  };

  AttentionBlock(Machine& machine, Parameters& parameters);

  Buffer forward(const Buffer& in, Saved& saved);
  Buffer backward(const Buffer& out_gradient, const Buffer& in, const Saved& saved, GradientSync& sync);

 private:
  struct Parts {
    Element *queries, *keys, *values;
  };
  Parts parts_of(const Buffer& heads) const;
  Product scores() const { return {shape_.sequence, shape_.sequence, shape_.head_width, false, true, false, batches_}; }
  Product mixture() const {
    return {shape_.sequence, shape_.head_width, shape_.sequence, false, false, false, batches_};
  }
  Product transposed_mixture() const;
  Buffer backward_through_heads(const Buffer& merged_gradient, const Saved& saved);

  Machine& machine_;
  Parameters& parameters_;
  HeadShape shape_;
  int batches_;  // heads of all sequences
  int width_;    // total width of this rank's heads
  float scale_;
  int projection_, heads_;
};

}  // namespace training
