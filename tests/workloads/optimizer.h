// AdamW with weights in full precision, and the clipping of gradients before it.
#pragma once

#include <vector>

#include "kernels/optimizer.h"
#include "machine.h"
#include "model.h"

namespace training {

class Optimizer {
 public:
  Optimizer(Machine& machine, Model& model);
  ~Optimizer();
  Optimizer(const Optimizer&) = delete;
  Optimizer& operator=(const Optimizer&) = delete;

  void step();

 private:
  void clip();
  double clip_limit() const;
  bool has_partial_norm() const;

  Machine& machine_;
  Model& model_;
  float* state_ = nullptr;    // master weights and both moments
  float* partial_ = nullptr;  // sums of squares by block
  float* square_ = nullptr;   // the square of the norm
  float* square_on_host_ = nullptr;
  std::vector<UpdateTensor> tensors_;
  std::vector<TensorList> lists_;
  int steps_ = 0;
};

}  // namespace training
