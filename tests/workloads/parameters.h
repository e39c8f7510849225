// The weights of a rank's layers and their gradients: two flat arrays.
//
// Tensors are stored in the order in which backward completes their gradients: the output's first, the embedding last.
// So a bucket of gradients is a contiguous range, and one number says how far backward has come. A unit, a layer, is
// sharded as a whole; units are aligned so that they divide evenly among the shards. Tensors that differ between ranks
// (experts) come after all others.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <vector>

#include "kernels/element.h"

namespace training {

struct Range {
  std::size_t begin = 0, end = 0;
  std::size_t size() const { return end - begin; }
};

class Parameters {
 public:
  explicit Parameters(int shards) : shards_(shards) {}
  ~Parameters();
  Parameters(const Parameters&) = delete;
  Parameters& operator=(const Parameters&) = delete;

  int start_unit();
  int add(std::size_t count);         // a tensor in the last unit; returns its number
  int add_expert(std::size_t count);  // a tensor that only this rank has
  // After the last add(); fills the weights with small random numbers. `in_window`: NCCL allocates the gradients.
  void allocate(cudaStream_t stream, bool in_window);

  Element* weights(int tensor) const { return weights_ + tensors_[tensor].begin; }
  Element* gradient(int tensor) const { return gradients_ + tensors_[tensor].begin; }
  Element* all_weights() const { return weights_; }
  Element* all_gradients() const { return gradients_; }
  std::size_t count() const { return total_; }

  const std::vector<Range>& tensors() const { return tensors_; }
  const std::vector<Range>& units() const { return units_; }  // without the experts
  bool is_expert(int tensor) const { return is_expert_[tensor]; }

 private:
  std::size_t aligned(std::size_t count) const;

  int shards_;
  std::vector<Range> tensors_;
  std::vector<bool> is_expert_;
  std::vector<Range> units_;
  std::size_t total_ = 0;
  Element* weights_ = nullptr;
  Element* gradients_ = nullptr;
  bool in_window_ = false;
};

}  // namespace training
