// The model's edges: the embedding of tokens at its input, and predictions and loss at its output.
#pragma once

#include <cstdint>

#include "norm.h"

namespace training {

// Device memory that stays valid while the micro-batch is in use.
struct Batch {
  const std::int32_t* tokens = nullptr;
  const std::int32_t* targets = nullptr;
  const Element* features = nullptr;  // added to the embedding, like the result of an encoder before the model
};

class InputEdge {
 public:
  InputEdge(Machine& machine, Parameters& parameters);
  Buffer forward(const Batch& batch, GradientSync& sync);
  void backward(const Buffer& out_gradient, const Batch& batch, GradientSync& sync);

 private:
  Machine& machine_;
  Parameters& parameters_;
  int unit_;
  int table_;
};

class OutputEdge {
 public:
  struct Saved {
    Buffer input, normal, statistics;
    Buffer logits;  // replaced by their gradient once the loss is known
  };

  OutputEdge(Machine& machine, Parameters& parameters);
  void initialize() { norm_.initialize(); }
  // Adds the micro-batch's part to *loss.
  void forward(Buffer in, const Batch& batch, Saved& saved, float* loss, GradientSync& sync);
  Buffer backward(Saved& saved, GradientSync& sync);

 private:
  Machine& machine_;
  Parameters& parameters_;
  int unit_;
  int head_;
  Norm norm_;
};

}  // namespace training
