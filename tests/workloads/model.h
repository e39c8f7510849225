// One stage of the model: its layers, and the edges on the first and the last stage.
#pragma once

#include <memory>
#include <vector>

#include "edges.h"
#include "layer.h"

namespace training {

// Results of a micro-batch's forward pass that backward needs.
struct MicroBatch {
  Batch batch;
  std::vector<Layer::Saved> layers;
  OutputEdge::Saved output;
};

class Model {
 public:
  explicit Model(Machine& machine);
  ~Model();

  // `in` is empty on the first stage. On the last stage the result is empty, and the loss is added up.
  Buffer forward(Buffer in, MicroBatch& micro_batch);
  // From the gradient of the stage's result to the gradient of its input.
  Buffer backward(Buffer out_gradient, MicroBatch& micro_batch);

  void clear_loss();
  float* loss() { return loss_; }
  Parameters& parameters() { return parameters_; }
  GradientSync& sync() { return *sync_; }

 private:
  int own_layers() const;

  Machine& machine_;
  Parameters parameters_;
  std::unique_ptr<OutputEdge> output_;
  std::vector<std::unique_ptr<Layer>> layers_;  // last layer first, as in backward
  std::unique_ptr<InputEdge> input_;
  std::unique_ptr<GradientSync> sync_;
  float* loss_ = nullptr;
};

}  // namespace training
