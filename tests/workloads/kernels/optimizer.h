// AdamW on many tensors with one launch, or on one tensor with a launch per operation; the norm of the gradients.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

#include "kernels/element.h"

namespace training {

struct UpdateTensor {
  Element* weights;
  Element* gradient;
  float* master;  // the weights in full precision
  float* first_moment;
  float* second_moment;
  std::size_t count;
};

constexpr int kTensorsPerLaunch = 24;

struct TensorList {
  UpdateTensor tensors[kTensorsPerLaunch];
  unsigned first_block[kTensorsPerLaunch + 1];
  int size = 0;
};

struct AdamW {
  float rate, first_decay, second_decay, weight_decay, epsilon;
  float first_correction, second_correction;  // 1 / (1 - decay^step)
};

void multi_tensor_adamw(const TensorList& list, const AdamW& adamw, cudaStream_t stream);
// The same in seven launches.
void per_tensor_adamw(const UpdateTensor& tensor, const AdamW& adamw, cudaStream_t stream);

// Writes each block's sum of squares to `partial`; returns the number of blocks, multi_tensor_blocks of all tensors.
unsigned multi_tensor_l2norm(const TensorList& list, float* partial, cudaStream_t stream);
unsigned multi_tensor_blocks(const UpdateTensor& tensor);
void sum_norms(float* square, const float* partial, unsigned count, cudaStream_t stream);
// Scales the gradients if *square is more than limit².
void clip_gradients(const TensorList& list, const float* square, float limit, cudaStream_t stream);

// Fills first_block from the tensors' sizes.
void lay_out_blocks(TensorList& list);
// master = weights
void copy_to_master(float* master, const Element* weights, std::size_t count, cudaStream_t stream);

}  // namespace training
