// Convolutions of cuDNN's older interface. Each is timed as the matrix product that an implicit-GEMM kernel computes;
// what the sizes of its tensors already say is not read from the descriptor of the convolution.
#include "simgpu/cudnn/handle.h"
#include "simgpu/cudnn/kernel_launch.h"
#include "simgpu/cudnn/tensor_descriptor.h"

using namespace simgpu;
using namespace simgpu::cudnn;

namespace {

using Tensor = const TensorDescriptor*;

Status convolve(Handle& handle, const char* direction, Tensor weight, Tensor output) {
  if (weight == nullptr || output == nullptr) return kBadParamNullPointer;
  if (weight->dimensions.size() < 3 || output->dimensions.size() < 3) return kBadParam;
  GemmShape product{.math = MathType::Tf32, .element_bytes = element_bytes(weight->type)};
  product.n = weight->dimensions[0];
  product.k = element_count(*weight) / product.n;
  product.m = element_count(*output) / output->dimensions[1];
  product.batch = 1;
  return launch(product_kernel(std::string("xmma_") + direction + "_implicit_gemm_f32f32_f32f32_f32", product), handle);
}

}  // namespace

extern "C" {

SIMGPU_API Status cudnnConvolutionForward(void* handle, const void*, Tensor, const void*, Tensor w, const void*,
                                          const void*, int, void*, std::size_t, const void*, Tensor y, void*) {
  CUDNN_FUNCTION(cudnnConvolutionForward);
  return enter(function, handle, [&](Handle& state) { return convolve(state, "fprop", w, y); });
}

SIMGPU_API Status cudnnConvolutionBiasActivationForward(void* handle, const void*, Tensor, const void*, Tensor w,
                                                        const void*, const void*, int, void*, std::size_t, const void*,
                                                        Tensor, const void*, Tensor, const void*, const void*, Tensor y,
                                                        void*) {
  CUDNN_FUNCTION(cudnnConvolutionBiasActivationForward);
  return enter(function, handle, [&](Handle& state) { return convolve(state, "fprop", w, y); });
}

SIMGPU_API Status cudnnConvolutionBackwardData(void* handle, const void*, Tensor w, const void*, Tensor dy, const void*,
                                               const void*, int, void*, std::size_t, const void*, Tensor, void*) {
  CUDNN_FUNCTION(cudnnConvolutionBackwardData);
  return enter(function, handle, [&](Handle& state) { return convolve(state, "dgrad", w, dy); });
}

SIMGPU_API Status cudnnConvolutionBackwardFilter(void* handle, const void*, Tensor, const void*, Tensor dy, const void*,
                                                 const void*, int, void*, std::size_t, const void*, Tensor dw, void*) {
  CUDNN_FUNCTION(cudnnConvolutionBackwardFilter);
  return enter(function, handle, [&](Handle& state) { return convolve(state, "wgrad", dw, dy); });
}

}  // extern "C"
