#include "simgpu/cudnn/tensor_descriptor.h"

#include <algorithm>

#include "simgpu/cudnn/handle.h"

namespace simgpu::cudnn {
namespace {

constexpr int kMostDimensions = 8;  // CUDNN_DIM_MAX

Status set(TensorDescriptor* tensor, DataType type, int count, const int* dimensions, const int* strides) {
  if (tensor == nullptr || dimensions == nullptr) return kBadParamNullPointer;
  if (count < 1 || count > kMostDimensions) return kNotSupported;
  tensor->type = type;
  tensor->dimensions.assign(dimensions, dimensions + count);
  tensor->strides.clear();
  if (strides != nullptr) tensor->strides.assign(strides, strides + count);
  return kSuccess;
}

void tell(const std::vector<int>& values, int wanted, int* out) {
  if (out != nullptr && wanted > 0) {
    std::copy_n(values.begin(), std::min<std::size_t>(values.size(), static_cast<std::size_t>(wanted)), out);
  }
}

Status get(const TensorDescriptor* tensor, int wanted, DataType* type, int* count, int* dimensions) {
  if (tensor == nullptr) return kBadParamNullPointer;
  if (type != nullptr) *type = tensor->type;
  if (count != nullptr) *count = static_cast<int>(tensor->dimensions.size());
  tell(tensor->dimensions, wanted, dimensions);
  return kSuccess;
}

}  // namespace

int element_bytes(DataType type) {
  switch (type) {
    case kDouble:
    case kInt64:
      return 8;
    case kHalf:
    case kBfloat16:
      return 2;
    case kInt8:
    case kUint8:
    case kBoolean:
    case kFp8E4M3:
    case kFp8E5M2:
      return 1;
    default:
      return 4;
  }
}

std::int64_t element_count(const TensorDescriptor& tensor) {
  std::int64_t count = 1;
  for (const int dimension : tensor.dimensions) count *= dimension;
  return count;
}

}  // namespace simgpu::cudnn

using namespace simgpu::cudnn;

// No locks: a program does not use one descriptor on several threads at once.
extern "C" {

#define TENSOR_LIKE(Kind)                                                      \
  SIMGPU_API Status cudnnCreate##Kind##Descriptor(TensorDescriptor** out) {    \
    if (out == nullptr) return kBadParamNullPointer;                           \
    *out = new TensorDescriptor;                                               \
    return kSuccess;                                                           \
  }                                                                            \
  SIMGPU_API Status cudnnDestroy##Kind##Descriptor(TensorDescriptor* tensor) { \
    delete tensor;                                                             \
    return kSuccess;                                                           \
  }
TENSOR_LIKE(Tensor)
TENSOR_LIKE(Filter)

SIMGPU_API Status cudnnSetTensorNdDescriptor(TensorDescriptor* tensor, DataType type, int count, const int* dimensions,
                                             const int* strides) {
  return set(tensor, type, count, dimensions, strides);
}

SIMGPU_API Status cudnnGetTensorNdDescriptor(const TensorDescriptor* tensor, int wanted, DataType* type, int* count,
                                             int* dimensions, int* strides) {
  const Status status = get(tensor, wanted, type, count, dimensions);
  if (status == kSuccess) tell(tensor->strides, wanted, strides);
  return status;
}

SIMGPU_API Status cudnnSetTensor4dDescriptor(TensorDescriptor* tensor, int format, DataType type, int n, int c, int h,
                                             int w) {
  const int dimensions[] = {n, c, h, w};
  const int strides[] = {c * h * w, h * w, w, 1};
  if (tensor != nullptr) tensor->format = format;
  return set(tensor, type, 4, dimensions, strides);
}

SIMGPU_API Status cudnnGetTensorSizeInBytes(const TensorDescriptor* tensor, std::size_t* bytes) {
  if (tensor == nullptr || bytes == nullptr) return kBadParamNullPointer;
  *bytes = static_cast<std::size_t>(element_count(*tensor)) * static_cast<std::size_t>(element_bytes(tensor->type));
  return kSuccess;
}

SIMGPU_API Status cudnnSetFilterNdDescriptor(TensorDescriptor* filter, DataType type, int format, int count,
                                             const int* dimensions) {
  if (filter != nullptr) filter->format = format;
  return set(filter, type, count, dimensions, nullptr);
}

SIMGPU_API Status cudnnGetFilterNdDescriptor(const TensorDescriptor* filter, int wanted, DataType* type, int* format,
                                             int* count, int* dimensions) {
  if (filter != nullptr && format != nullptr) *format = filter->format;
  return get(filter, wanted, type, count, dimensions);
}

}  // extern "C"
