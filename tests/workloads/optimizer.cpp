// See optimizer.h.
#include "optimizer.h"

#include <cmath>

#include "checks.h"

namespace training {
namespace {

constexpr AdamW kAdamW{3e-4f, 0.9f, 0.95f, 0.1f, 1e-8f, 1, 1};

std::vector<TensorList> lists_of(const std::vector<UpdateTensor>& tensors) {
  std::vector<TensorList> lists;
  for (const UpdateTensor& tensor : tensors) {
    if (lists.empty() || lists.back().size == kTensorsPerLaunch) lists.emplace_back();
    lists.back().tensors[lists.back().size++] = tensor;
  }
  for (TensorList& list : lists) lay_out_blocks(list);
  return lists;
}

}  // namespace

Optimizer::Optimizer(Machine& machine, Model& model) : machine_(machine), model_(model) {
  const std::vector<Range> ranges = model.sync().updated();
  std::size_t count = 0, blocks = 0;
  for (const Range& range : ranges) count += range.size();
  check(cudaMalloc(reinterpret_cast<void**>(&state_), 3 * count * sizeof(float)), "cudaMalloc");
  check(cudaMemsetAsync(state_, 0, 3 * count * sizeof(float), machine.compute), "cudaMemsetAsync");
  float* own = state_;
  for (const Range& range : ranges) {
    Element* const weights = model.parameters().all_weights() + range.begin;
    Element* const gradient = model.parameters().all_gradients() + range.begin;
    tensors_.push_back({weights, gradient, own, own + count, own + 2 * count, range.size()});
    copy_to_master(own, weights, range.size(), machine.compute);
    own += range.size();
    blocks += multi_tensor_blocks(tensors_.back());
  }
  lists_ = lists_of(tensors_);
  check(cudaMalloc(reinterpret_cast<void**>(&partial_), blocks * sizeof(float)), "cudaMalloc");
  check(cudaMalloc(reinterpret_cast<void**>(&square_), sizeof(float)), "cudaMalloc");
  check(cudaMallocHost(reinterpret_cast<void**>(&square_on_host_), sizeof(float)), "cudaMallocHost");
}

Optimizer::~Optimizer() {
  for (float* memory : {state_, partial_, square_}) check(cudaFree(memory), "cudaFree");
  check(cudaFreeHost(square_on_host_), "cudaFreeHost");
}

void Optimizer::step() {
  if (machine_.options.clip > 0) clip();
  AdamW adamw = kAdamW;
  ++steps_;
  adamw.first_correction = 1 / (1 - std::pow(adamw.first_decay, static_cast<float>(steps_)));
  adamw.second_correction = 1 / (1 - std::pow(adamw.second_decay, static_cast<float>(steps_)));
  if (machine_.options.unfused_optimizer) {
    for (const UpdateTensor& tensor : tensors_) per_tensor_adamw(tensor, adamw, machine_.compute);
  } else {
    for (const TensorList& list : lists_) multi_tensor_adamw(list, adamw, machine_.compute);
  }
  check(cudaPeekAtLastError(), "optimizer");
}

bool Optimizer::has_partial_norm() const {
  const Options& options = machine_.options;
  return options.zero || options.experts || options.tensor > 1 || options.pipeline > 1;
}

// If each rank has only a part of the norm, the squares are summed over all ranks. Gradients that data-parallel ranks
// share are then counted once for each of these ranks.
double Optimizer::clip_limit() const {
  const bool is_counted_often = has_partial_norm() && !machine_.options.zero;
  return machine_.options.clip * (is_counted_often ? std::sqrt(machine_.groups.data->size()) : 1);
}

void Optimizer::clip() {
  unsigned blocks = 0;
  for (const TensorList& list : lists_) blocks += multi_tensor_l2norm(list, partial_ + blocks, machine_.compute);
  sum_norms(square_, partial_, blocks, machine_.compute);
  if (has_partial_norm()) {
    machine_.groups.world->all_reduce(square_, 1);
    machine_.groups.world->join();
  }
  const auto limit = static_cast<float>(clip_limit());
  if (machine_.options.clip_reads_norm) {
    check(cudaMemcpyAsync(square_on_host_, square_, sizeof(float), cudaMemcpyDeviceToHost, machine_.compute),
          "cudaMemcpyAsync");
    check(cudaStreamSynchronize(machine_.compute), "cudaStreamSynchronize");
    if (*square_on_host_ <= limit * limit) return;
  }
  for (const TensorList& list : lists_) clip_gradients(list, square_, limit, machine_.compute);
}

}  // namespace training
