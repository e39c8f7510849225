// A transformer layer: attention, then a feed-forward network or a set of experts, each after a normalization and with
// a residual connection.
#pragma once

#include <memory>

#include "attention_block.h"
#include "expert_exchange.h"
#include "feed_forward.h"
#include "norm.h"

namespace training {

class Layer {
 public:
  struct Saved {
    Buffer input, normal_input, middle, normal_middle, at_expert;
    Buffer input_statistics, middle_statistics;
    AttentionBlock::Saved attention;
    FeedForward::Saved feed_forward;
  };

  Layer(Machine& machine, Parameters& parameters);
  void initialize();  // after the parameters are allocated

  Buffer forward(Buffer in, Saved& saved, GradientSync& sync);
  Buffer backward(Buffer out_gradient, Saved& saved, GradientSync& sync);

 private:
  Buffer feed_forward(const Buffer& in, Saved& saved);
  Buffer feed_backward(const Buffer& out_gradient, Saved& saved, GradientSync& sync);

  Machine& machine_;
  int unit_;
  std::size_t count_;  // elements of an activation
  std::unique_ptr<ExpertExchange> experts_;
  FeedForward feed_forward_;
  Norm middle_norm_;
  AttentionBlock attention_;
  Norm input_norm_;
};

}  // namespace training
