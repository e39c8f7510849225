// See feed_forward.h.
#include "feed_forward.h"

namespace training {
namespace {

constexpr int kWidening = 4;

}  // namespace

FeedForward::FeedForward(Machine& machine, Parameters& parameters, bool is_expert)
    : machine_(machine), parameters_(parameters), inner_(kWidening * machine.options.hidden / machine.options.tensor) {
  const std::size_t count = static_cast<std::size_t>(machine.options.hidden) * inner_;
  down_ = is_expert ? parameters.add_expert(count) : parameters.add(count);
  up_ = is_expert ? parameters.add_expert(count) : parameters.add(count);
}

Buffer FeedForward::forward(const Buffer& in, int rows, Saved& saved) {
  const int hidden = machine_.options.hidden;
  const std::size_t inner_count = static_cast<std::size_t>(rows) * inner_;
  saved.inner = machine_.scratch.take(inner_count);
  machine_.gemm.multiply(saved.inner.elements(), in.elements(), parameters_.weights(up_), {rows, inner_, hidden});
  saved.activated = machine_.scratch.take(inner_count);
  gelu_forward(saved.activated.elements(), saved.inner.elements(), inner_count, machine_.slicing(), machine_.compute);
  const std::size_t count = static_cast<std::size_t>(rows) * hidden;
  Buffer out = machine_.scratch.take(count);
  machine_.gemm.multiply(out.elements(), saved.activated.elements(), parameters_.weights(down_),
                         {rows, hidden, inner_});
  machine_.groups.tensor->all_reduce(out.elements(), count);
  machine_.groups.tensor->join();
  return out;
}

Buffer FeedForward::backward(const Buffer& out_gradient, const Buffer& in, int rows, const Saved& saved,
                             GradientSync& sync) {
  const int hidden = machine_.options.hidden;
  const bool accumulates = machine_.accumulates;
  Gemm& gemm = machine_.gemm;
  gemm.multiply(parameters_.gradient(down_), saved.activated.elements(), out_gradient.elements(),
                {inner_, hidden, rows, true, false, accumulates});
  sync.gradient_ready(down_);
  const std::size_t inner_count = static_cast<std::size_t>(rows) * inner_;
  const Buffer inner_gradient = machine_.scratch.take(inner_count);
  gemm.multiply(inner_gradient.elements(), out_gradient.elements(), parameters_.weights(down_),
                {rows, inner_, hidden, false, true});
  gelu_backward(inner_gradient.elements(), saved.inner.elements(), inner_count, machine_.slicing(), machine_.compute);
  const std::size_t count = static_cast<std::size_t>(rows) * hidden;
  Buffer in_gradient = machine_.scratch.take(count);
  gemm.multiply(in_gradient.elements(), inner_gradient.elements(), parameters_.weights(up_),
                {rows, hidden, inner_, false, true});
  machine_.groups.tensor->all_reduce(in_gradient.elements(), count);
  gemm.multiply(parameters_.gradient(up_), in.elements(), inner_gradient.elements(),
                {hidden, inner_, rows, true, false, accumulates});
  sync.gradient_ready(up_);
  machine_.groups.tensor->join();
  return in_gradient;
}

}  // namespace training
