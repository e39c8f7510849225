// See norm.h.
#include "norm.h"

namespace training {

Norm::Norm(Machine& machine, Parameters& parameters)
    : machine_(machine),
      parameters_(parameters),
      rows_{machine.tokens(), machine.options.hidden},
      tensor_(parameters.add(2 * static_cast<std::size_t>(machine.options.hidden))) {}

void Norm::initialize() {
  const std::size_t width = rows_.width;
  fill_constant(parameters_.weights(tensor_), width, 1, machine_.compute);
  fill_constant(parameters_.weights(tensor_) + width, width, 0, machine_.compute);
}

NormalizationInput Norm::input_of(const Buffer& in, const Buffer& statistics) const {
  return {in.elements(), parameters_.weights(tensor_), statistics.floats()};
}

Buffer Norm::forward(const Buffer& in, Buffer& statistics) {
  Buffer out = machine_.scratch.take(static_cast<std::size_t>(rows_.count) * rows_.width);
  statistics = machine_.scratch.take_floats(2 * static_cast<std::size_t>(rows_.count));
  layer_norm_forward(out.elements(), input_of(in, statistics), rows_, machine_.compute);
  return out;
}

Buffer Norm::backward(const Buffer& out_gradient, const Buffer& residual, const Buffer& in, const Buffer& statistics,
                      GradientSync& sync) {
  const NormalizationInput input = input_of(in, statistics);
  Buffer in_gradient = machine_.scratch.take(static_cast<std::size_t>(rows_.count) * rows_.width);
  layer_norm_backward(in_gradient.elements(), out_gradient.elements(), residual.elements(), input, rows_,
                      machine_.compute);
  const Buffer partial = machine_.scratch.take_floats(2 * static_cast<std::size_t>(partial_rows(rows_)) * rows_.width);
  layer_norm_weight_gradient(parameters_.gradient(tensor_), partial.floats(), out_gradient.elements(), input, rows_,
                             machine_.accumulates, machine_.compute);
  sync.gradient_ready(tensor_);
  return in_gradient;
}

}  // namespace training
