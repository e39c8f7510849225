// See layer.h.
#include "layer.h"

namespace training {

Layer::Layer(Machine& machine, Parameters& parameters)
    : machine_(machine),
      unit_(parameters.start_unit()),
      count_(static_cast<std::size_t>(machine.tokens()) * machine.options.hidden),
      experts_(machine.options.experts ? std::make_unique<ExpertExchange>(machine) : nullptr),
      feed_forward_(machine, parameters, machine.options.experts),
      middle_norm_(machine, parameters),
      attention_(machine, parameters),
      input_norm_(machine, parameters) {}

void Layer::initialize() {
  middle_norm_.initialize();
  input_norm_.initialize();
}

Buffer Layer::forward(Buffer in, Saved& saved, GradientSync& sync) {
  sync.before_unit(unit_, false);
  saved.input = std::move(in);
  saved.normal_input = input_norm_.forward(saved.input, saved.input_statistics);
  const Buffer attended = attention_.forward(saved.normal_input, saved.attention);
  saved.middle = machine_.scratch.take(count_);
  add(saved.middle.elements(), saved.input.elements(), attended.elements(), count_, machine_.slicing(),
      machine_.compute);
  saved.normal_middle = middle_norm_.forward(saved.middle, saved.middle_statistics);
  const Buffer fed = feed_forward(saved.normal_middle, saved);
  Buffer out = machine_.scratch.take(count_);
  add(out.elements(), saved.middle.elements(), fed.elements(), count_, machine_.slicing(), machine_.compute);
  machine_.end_layer();
  return out;
}

Buffer Layer::backward(Buffer out_gradient, Saved& saved, GradientSync& sync) {
  sync.before_unit(unit_, true);
  Buffer middle_gradient;
  {
    const Buffer normal_gradient = feed_backward(out_gradient, saved, sync);
    middle_gradient = middle_norm_.backward(normal_gradient, out_gradient, saved.middle, saved.middle_statistics, sync);
  }
  const Buffer normal_gradient = attention_.backward(middle_gradient, saved.normal_input, saved.attention, sync);
  Buffer in_gradient =
      input_norm_.backward(normal_gradient, middle_gradient, saved.input, saved.input_statistics, sync);
  saved = {};
  machine_.end_layer();
  return in_gradient;
}

Buffer Layer::feed_forward(const Buffer& in, Saved& saved) {
  if (!experts_) return feed_forward_.forward(in, machine_.tokens(), saved.feed_forward);
  saved.at_expert = experts_->dispatch(in);
  return experts_->combine(feed_forward_.forward(saved.at_expert, experts_->rows_here(), saved.feed_forward));
}

Buffer Layer::feed_backward(const Buffer& out_gradient, Saved& saved, GradientSync& sync) {
  if (!experts_) {
    return feed_forward_.backward(out_gradient, saved.normal_middle, machine_.tokens(), saved.feed_forward, sync);
  }
  const Buffer dispatched = experts_->dispatch(out_gradient);
  return experts_->combine(
      feed_forward_.backward(dispatched, saved.at_expert, experts_->rows_here(), saved.feed_forward, sync));
}

}  // namespace training
