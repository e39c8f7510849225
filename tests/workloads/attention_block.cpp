// See attention_block.h.
#include "attention_block.h"

#include <cmath>

namespace training {

AttentionBlock::AttentionBlock(Machine& machine, Parameters& parameters) : machine_(machine), parameters_(parameters) {
  const Options& options = machine.options;
  const int heads = options.heads / options.tensor;
  shape_ = {options.batch, options.sequence, heads, options.hidden / options.heads};
  batches_ = options.batch * heads;
  width_ = heads * shape_.head_width;
  scale_ = 1 / std::sqrt(static_cast<float>(shape_.head_width));
  projection_ = parameters.add(static_cast<std::size_t>(width_) * options.hidden);
  heads_ = parameters.add(static_cast<std::size_t>(options.hidden) * 3 * width_);
}

AttentionBlock::Parts AttentionBlock::parts_of(const Buffer& heads) const {
  const std::size_t part = static_cast<std::size_t>(machine_.tokens()) * width_;
  return {heads.elements(), heads.elements() + part, heads.elements() + 2 * part};
}

Product AttentionBlock::transposed_mixture() const {
  Product product = mixture();
  product.transpose_a = true;
  return product;
}

Buffer AttentionBlock::forward(const Buffer& in, Saved& saved) {
  const int tokens = machine_.tokens(), hidden = machine_.options.hidden;
  const std::size_t part = static_cast<std::size_t>(tokens) * width_;
  Gemm& gemm = machine_.gemm;
  Scratch& scratch = machine_.scratch;
  {
    const Buffer together = scratch.take(3 * part);
    gemm.multiply(together.elements(), in.elements(), parameters_.weights(heads_), {tokens, 3 * width_, hidden});
    saved.heads = scratch.take(3 * part);
    split_heads(saved.heads.elements(), together.elements(), shape_, 3, machine_.compute);
  }
  const auto [queries, keys, values] = parts_of(saved.heads);
  saved.probabilities = scratch.take(static_cast<std::size_t>(batches_) * shape_.sequence * shape_.sequence);
  gemm.multiply(saved.probabilities.elements(), queries, keys, scores());
  softmax_forward(saved.probabilities.elements(), batches_ * shape_.sequence, shape_.sequence, scale_,
                  machine_.compute);
  const Buffer mixed = scratch.take(part);
  gemm.multiply(mixed.elements(), saved.probabilities.elements(), values, mixture());
  saved.merged = scratch.take(part);
  merge_heads(saved.merged.elements(), mixed.elements(), shape_, 1, machine_.compute);
  Buffer out = scratch.take(static_cast<std::size_t>(tokens) * hidden);
  gemm.multiply(out.elements(), saved.merged.elements(), parameters_.weights(projection_), {tokens, hidden, width_});
  machine_.groups.tensor->all_reduce(out.elements(), static_cast<std::size_t>(tokens) * hidden);
  machine_.groups.tensor->join();
  return out;
}

Buffer AttentionBlock::backward(const Buffer& out_gradient, const Buffer& in, const Saved& saved, GradientSync& sync) {
  const int tokens = machine_.tokens(), hidden = machine_.options.hidden;
  const bool accumulates = machine_.accumulates;
  Gemm& gemm = machine_.gemm;
  Scratch& scratch = machine_.scratch;
  const Buffer merged_gradient = scratch.take(static_cast<std::size_t>(tokens) * width_);
  gemm.multiply(parameters_.gradient(projection_), saved.merged.elements(), out_gradient.elements(),
                {width_, hidden, tokens, true, false, accumulates});
  sync.gradient_ready(projection_);
  gemm.multiply(merged_gradient.elements(), out_gradient.elements(), parameters_.weights(projection_),
                {tokens, width_, hidden, false, true});
  const Buffer heads_gradient = backward_through_heads(merged_gradient, saved);
  Buffer in_gradient = scratch.take(static_cast<std::size_t>(tokens) * hidden);
  gemm.multiply(in_gradient.elements(), heads_gradient.elements(), parameters_.weights(heads_),
                {tokens, hidden, 3 * width_, false, true});
  machine_.groups.tensor->all_reduce(in_gradient.elements(), static_cast<std::size_t>(tokens) * hidden);
  gemm.multiply(parameters_.gradient(heads_), in.elements(), heads_gradient.elements(),
                {hidden, 3 * width_, tokens, true, false, accumulates});
  sync.gradient_ready(heads_);
  machine_.groups.tensor->join();
  return in_gradient;
}

Buffer AttentionBlock::backward_through_heads(const Buffer& merged_gradient, const Saved& saved) {
  const std::size_t part = static_cast<std::size_t>(machine_.tokens()) * width_;
  Gemm& gemm = machine_.gemm;
  Scratch& scratch = machine_.scratch;
  const Buffer mixed_gradient = scratch.take(part);
  split_heads(mixed_gradient.elements(), merged_gradient.elements(), shape_, 1, machine_.compute);
  const auto [queries, keys, values] = parts_of(saved.heads);
  const Buffer gradients = scratch.take(3 * part);
  const auto [query_gradient, key_gradient, value_gradient] = parts_of(gradients);
  gemm.multiply(value_gradient, saved.probabilities.elements(), mixed_gradient.elements(), transposed_mixture());
  const Buffer score_gradient = scratch.take(static_cast<std::size_t>(batches_) * shape_.sequence * shape_.sequence);
  gemm.multiply(score_gradient.elements(), mixed_gradient.elements(), values, scores());
  softmax_backward(score_gradient.elements(), saved.probabilities.elements(), batches_ * shape_.sequence,
                   shape_.sequence, scale_, machine_.compute);
  gemm.multiply(query_gradient, score_gradient.elements(), keys, mixture());
  gemm.multiply(key_gradient, score_gradient.elements(), queries, transposed_mixture());
  Buffer together = scratch.take(3 * part);
  merge_heads(together.elements(), gradients.elements(), shape_, 3, machine_.compute);
  return together;
}

}  // namespace training
