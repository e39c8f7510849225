// See edges.h.
#include "edges.h"

#include "checks.h"
#include "kernels/embedding.h"
#include "kernels/loss.h"

namespace training {

InputEdge::InputEdge(Machine& machine, Parameters& parameters)
    : machine_(machine), parameters_(parameters), unit_(parameters.start_unit()) {
  table_ = parameters.add(static_cast<std::size_t>(machine.options.vocabulary) * machine.options.hidden);
}

Buffer InputEdge::forward(const Batch& batch, GradientSync& sync) {
  sync.before_unit(unit_, false);
  const int tokens = machine_.tokens(), hidden = machine_.options.hidden;
  Buffer out = machine_.scratch.take(static_cast<std::size_t>(tokens) * hidden);
  embedding_forward(out.elements(), parameters_.weights(table_), batch.tokens, batch.features, tokens, hidden,
                    machine_.compute);
  return out;
}

void InputEdge::backward(const Buffer& out_gradient, const Batch& batch, GradientSync& sync) {
  sync.before_unit(unit_, true);
  const int hidden = machine_.options.hidden;
  Element* const gradient = parameters_.gradient(table_);
  if (!machine_.accumulates) {
    const std::size_t bytes = parameters_.tensors()[table_].size() * sizeof(Element);
    check(cudaMemsetAsync(gradient, 0, bytes, machine_.compute), "cudaMemsetAsync");
  }
  embedding_backward(gradient, out_gradient.elements(), batch.tokens, machine_.tokens(), hidden, machine_.compute);
  sync.gradient_ready(table_);
}

OutputEdge::OutputEdge(Machine& machine, Parameters& parameters)
    : machine_(machine),
      parameters_(parameters),
      unit_(parameters.start_unit()),
      head_(parameters.add(static_cast<std::size_t>(machine.options.hidden) * machine.options.vocabulary)),
      norm_(machine, parameters) {}

void OutputEdge::forward(Buffer in, const Batch& batch, Saved& saved, float* loss, GradientSync& sync) {
  sync.before_unit(unit_, false);
  const int tokens = machine_.tokens(), vocabulary = machine_.options.vocabulary;
  saved.input = std::move(in);
  saved.normal = norm_.forward(saved.input, saved.statistics);
  saved.logits = machine_.scratch.take(static_cast<std::size_t>(tokens) * vocabulary);
  machine_.gemm.multiply(saved.logits.elements(), saved.normal.elements(), parameters_.weights(head_),
                         {tokens, vocabulary, machine_.options.hidden});
  const Buffer row_losses = machine_.scratch.take_floats(tokens);
  const float share = 1.0f / (static_cast<float>(tokens) * static_cast<float>(machine_.options.micro_batches));
  cross_entropy(saved.logits.elements(), row_losses.floats(), batch.targets, tokens, vocabulary, share,
                machine_.compute);
  sum_losses(loss, row_losses.floats(), tokens, share, machine_.compute);
}

Buffer OutputEdge::backward(Saved& saved, GradientSync& sync) {
  sync.before_unit(unit_, true);
  const int tokens = machine_.tokens(), vocabulary = machine_.options.vocabulary, hidden = machine_.options.hidden;
  const std::size_t count = static_cast<std::size_t>(tokens) * hidden;
  Gemm& gemm = machine_.gemm;
  gemm.multiply(parameters_.gradient(head_), saved.normal.elements(), saved.logits.elements(),
                {hidden, vocabulary, tokens, true, false, machine_.accumulates});
  sync.gradient_ready(head_);
  const Buffer normal_gradient = machine_.scratch.take(count);
  gemm.multiply(normal_gradient.elements(), saved.logits.elements(), parameters_.weights(head_),
                {tokens, hidden, vocabulary, false, true});
  const Buffer nothing = machine_.scratch.take(count);
  check(cudaMemsetAsync(nothing.elements(), 0, count * sizeof(Element), machine_.compute), "cudaMemsetAsync");
  Buffer in_gradient = norm_.backward(normal_gradient, nothing, saved.input, saved.statistics, sync);
  saved = {};
  return in_gradient;
}

}  // namespace training
