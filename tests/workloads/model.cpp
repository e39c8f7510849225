// See model.h.
#include "model.h"

#include "checks.h"

namespace training {

Model::Model(Machine& machine) : machine_(machine), parameters_(machine.groups.data->size()) {
  if (machine.is_last_stage()) output_ = std::make_unique<OutputEdge>(machine, parameters_);
  for (int left = own_layers(); left > 0; --left) layers_.push_back(std::make_unique<Layer>(machine, parameters_));
  if (machine.is_first_stage()) input_ = std::make_unique<InputEdge>(machine, parameters_);
  parameters_.allocate(machine.compute, machine.options.windows);
  for (auto& layer : layers_) layer->initialize();
  if (output_) output_->initialize();
  Communicator& data = *machine.groups.data;
  const bool is_sharded = machine.options.zero && data.size() > 1;
  sync_ = is_sharded ? make_sharded_sync(machine.options, parameters_, data)
                     : make_bucketed_sync(machine.options, parameters_, data);
  check(cudaMalloc(reinterpret_cast<void**>(&loss_), sizeof *loss_), "cudaMalloc");
}

Model::~Model() { check(cudaFree(loss_), "cudaFree"); }

int Model::own_layers() const {
  const Options& options = machine_.options;
  const int stage = machine_.stage();
  if (!options.stage_layers.empty()) return options.stage_layers[stage];
  return options.layers / options.pipeline + (stage < options.layers % options.pipeline ? 1 : 0);
}

Buffer Model::forward(Buffer in, MicroBatch& micro_batch) {
  micro_batch.layers.resize(layers_.size());
  Buffer x = input_ ? input_->forward(micro_batch.batch, *sync_) : std::move(in);
  for (std::size_t i = layers_.size(); i-- > 0;) x = layers_[i]->forward(std::move(x), micro_batch.layers[i], *sync_);
  check(cudaPeekAtLastError(), "forward");
  if (!output_) return x;
  output_->forward(std::move(x), micro_batch.batch, micro_batch.output, loss_, *sync_);
  return {};
}

Buffer Model::backward(Buffer out_gradient, MicroBatch& micro_batch) {
  Buffer gradient = output_ ? output_->backward(micro_batch.output, *sync_) : std::move(out_gradient);
  for (std::size_t i = 0; i < layers_.size(); ++i) {
    gradient = layers_[i]->backward(std::move(gradient), micro_batch.layers[i], *sync_);
  }
  check(cudaPeekAtLastError(), "backward");
  if (!input_) return gradient;
  input_->backward(gradient, micro_batch.batch, *sync_);
  return {};
}

void Model::clear_loss() { check(cudaMemsetAsync(loss_, 0, sizeof *loss_, machine_.compute), "cudaMemsetAsync"); }

}  // namespace training
