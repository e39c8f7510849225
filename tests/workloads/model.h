// One stage of the model: its layers, and the edges that fall to it.
#pragma once

#include <memory>
#include <vector>

#include "edges.h"
#include "layer.h"

namespace training {

// What backward needs of a micro-batch's forward pass.
struct MicroBatch {
  Batch batch;
  std::vector<Layer::Saved> layers;
  OutputEdge::Saved output;
};

class Model {
 public:
  explicit Model(Machine& machine);
  ~Model();

  // `in` is empty on the first stage; so is the result on the last one, which adds to the loss.
  Buffer forward(Buffer in, MicroBatch& micro_batch);
  // The gradient of the stage's result to that of its input.
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
  std::vector<std::unique_ptr<Layer>> layers_;  // the last one first, as backward goes
  std::unique_ptr<InputEdge> input_;
  std::unique_ptr<GradientSync> sync_;
  float* loss_ = nullptr;
};

}  // namespace training
