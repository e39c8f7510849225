// Batch normalization of the older interface, which PyTorch uses: kernels that stream through their tensors.
#include "simgpu/cudnn/kernel_launch.h"
#include "simgpu/cudnn/tensor_descriptor.h"

namespace simgpu::cudnn {
namespace {

constexpr const char* kForwardTraining =
    "_ZN5cudnn25bn_fw_tr_1C11_kernel_NCHWIffiLi512ELb1ELi1ELb1EEEv17cudnnTensorStruct";
constexpr const char* kForwardInference = "_ZN5cudnn26bn_fw_inf_1C11_kernel_NCHWIffLb1ELi1EEEv17cudnnTensorStruct";
constexpr const char* kBackward = "_ZN5cudnn21bn_bw_1C11_singlereadIfLi512ELb1ELi1ELi2ELi0EEEv17cudnnTensorStruct";

// The kernel reads or writes `passes` times the bytes of `x`.
Status stream_through(const Handle& handle, const char* name, const TensorDescriptor* x, int passes) {
  if (x == nullptr) return kBadParamNullPointer;
  const std::int64_t elements = element_count(*x);
  return launch(streaming_kernel(name, elements, elements * element_bytes(x->type) * passes), handle);
}

Status tell_size(std::size_t* out, std::size_t bytes) {
  if (out == nullptr) return kBadParamNullPointer;
  *out = bytes;
  return kSuccess;
}

// Means and variances, in float, of each channel.
std::size_t statistics_bytes(const TensorDescriptor* x) {
  constexpr std::size_t kStatistics = 4;
  return x == nullptr || x->dimensions.size() < 2 ? 0 : static_cast<std::size_t>(x->dimensions[1]) * 4 * kStatistics;
}

}  // namespace
}  // namespace simgpu::cudnn

using namespace simgpu;
using namespace simgpu::cudnn;
using Tensor = const TensorDescriptor*;

extern "C" {

SIMGPU_API Status cudnnGetBatchNormalizationForwardTrainingExWorkspaceSize(void*, int, int, Tensor x, Tensor, Tensor,
                                                                           Tensor, const void*, std::size_t* bytes) {
  return tell_size(bytes, statistics_bytes(x));
}

SIMGPU_API Status cudnnGetBatchNormalizationBackwardExWorkspaceSize(void*, int, int, Tensor x, Tensor, Tensor, Tensor,
                                                                    Tensor, Tensor, const void*, std::size_t* bytes) {
  return tell_size(bytes, statistics_bytes(x));
}

SIMGPU_API Status cudnnGetBatchNormalizationTrainingExReserveSpaceSize(void*, int, int, const void*, Tensor,
                                                                       std::size_t* bytes) {
  return tell_size(bytes, 0);
}

SIMGPU_API Status cudnnBatchNormalizationForwardTrainingEx(void* handle, int, int, const void*, const void*, Tensor x,
                                                           const void*, Tensor, const void*, Tensor, void*, Tensor,
                                                           const void*, const void*, double, void*, void*, double,
                                                           void*, void*, const void*, void*, std::size_t, void*,
                                                           std::size_t) {
  CUDNN_FUNCTION(cudnnBatchNormalizationForwardTrainingEx);
  return enter(function, handle, [&](Handle& state) {
    return stream_through(state, kForwardTraining, x, 3);  // statistics, then input to output
  });
}

SIMGPU_API Status cudnnBatchNormalizationForwardInference(void* handle, int, const void*, const void*, Tensor x,
                                                          const void*, Tensor, void*, Tensor, const void*, const void*,
                                                          const void*, const void*, double) {
  CUDNN_FUNCTION(cudnnBatchNormalizationForwardInference);
  return enter(function, handle, [&](Handle& state) { return stream_through(state, kForwardInference, x, 2); });
}

SIMGPU_API Status cudnnBatchNormalizationBackwardEx(void* handle, int, int, const void*, const void*, const void*,
                                                    const void*, Tensor x, const void*, Tensor, const void*, Tensor,
                                                    const void*, Tensor, void*, Tensor, void*, Tensor, const void*,
                                                    const void*, void*, void*, double, const void*, const void*,
                                                    const void*, void*, std::size_t, void*, std::size_t) {
  CUDNN_FUNCTION(cudnnBatchNormalizationBackwardEx);
  return enter(function, handle, [&](Handle& state) {
    return stream_through(state, kBackward, x, 5);  // input and gradient twice, the result
  });
}

}  // extern "C"
