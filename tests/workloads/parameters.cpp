// See parameters.h.
#include "parameters.h"

#include <nccl.h>

#include "checks.h"
#include "kernels/elementwise.h"

namespace training {
namespace {

constexpr std::size_t kAlignment = 64;
constexpr float kSpread = 0.02f;

}  // namespace

Parameters::~Parameters() {
  check(cudaFree(weights_), "cudaFree");
  if (in_window_)
    check(ncclMemFree(gradients_), "ncclMemFree");
  else
    check(cudaFree(gradients_), "cudaFree");
}

std::size_t Parameters::aligned(std::size_t count) const {
  const std::size_t unit = kAlignment * shards_;
  return (count + unit - 1) / unit * unit;
}

int Parameters::start_unit() {
  units_.push_back({total_, total_});
  return static_cast<int>(units_.size()) - 1;
}

int Parameters::add(std::size_t count) {
  tensors_.push_back({total_, total_ + aligned(count)});
  is_expert_.push_back(false);
  total_ = units_.back().end = tensors_.back().end;
  return static_cast<int>(tensors_.size()) - 1;
}

int Parameters::add_expert(std::size_t count) {
  tensors_.push_back({0, aligned(count)});
  is_expert_.push_back(true);
  return static_cast<int>(tensors_.size()) - 1;
}

void Parameters::allocate(cudaStream_t stream, bool in_window) {
  in_window_ = in_window;
  for (std::size_t i = 0; i < tensors_.size(); ++i) {
    if (!is_expert_[i]) continue;
    tensors_[i] = {total_, total_ + tensors_[i].size()};
    total_ = tensors_[i].end;
  }
  check(cudaMalloc(reinterpret_cast<void**>(&weights_), total_ * sizeof(Element)), "cudaMalloc");
  void** const gradients = reinterpret_cast<void**>(&gradients_);
  if (in_window)
    check(ncclMemAlloc(gradients, total_ * sizeof(Element)), "ncclMemAlloc");
  else
    check(cudaMalloc(gradients, total_ * sizeof(Element)), "cudaMalloc");
  fill_random(weights_, total_, 1, kSpread, stream);
  check(cudaMemsetAsync(gradients_, 0, total_ * sizeof(Element), stream), "cudaMemsetAsync");
}

}  // namespace training
