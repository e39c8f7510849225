// The tensors and filters of cuDNN's older interface.
#pragma once

#include <cstdint>
#include <vector>

#include "simgpu/cudnn/cudnn_types.h"

namespace simgpu::cudnn {

struct TensorDescriptor {
  DataType type = kFloat;
  int format = 0;  // for filters
  std::vector<int> dimensions;
  std::vector<int> strides;
};

int element_bytes(DataType type);
std::int64_t element_count(const TensorDescriptor& tensor);

}  // namespace simgpu::cudnn
