// A layer normalization with its weights.
#pragma once

#include "gradient_sync.h"
#include "kernels/normalization.h"
#include "machine.h"

namespace training {

class Norm {
 public:
  Norm(Machine& machine, Parameters& parameters);
  void initialize();  // to the identity

  Buffer forward(const Buffer& in, Buffer& statistics);
  // `residual` is the gradient that flows past the normalization.
  Buffer backward(const Buffer& out_gradient, const Buffer& residual, const Buffer& in, const Buffer& statistics,
                  GradientSync& sync);

 private:
  NormalizationInput input_of(const Buffer& in, const Buffer& statistics) const;

  Machine& machine_;
  Parameters& parameters_;
  Rows rows_;
  int tensor_;
};

}  // namespace training
