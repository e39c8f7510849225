// Launches of kernels.
#include "simgpu/engine/launch.h"

#include "simgpu/cudart/runtime_call.h"

namespace simgpu {
namespace {

cudaError_t launch_with_attributes(const cudaLaunchConfig_t* config, const void* function, void** arguments,
                                   DefaultStream meaning) {
  if (config == nullptr || (config->attrs == nullptr && config->numAttrs > 0)) return cudaErrorInvalidValue;
  Launch launch{.kernel = find_kernel(function),
                .grid = config->gridDim,
                .block = config->blockDim,
                .shared_bytes = config->dynamicSmemBytes,
                .arguments = arguments};
  for (unsigned i = 0; i < config->numAttrs; ++i) {
    const cudaLaunchAttribute& attribute = config->attrs[i];
    if (attribute.id == cudaLaunchAttributeCooperative) launch.is_cooperative = attribute.val.cooperative != 0;
    if (attribute.id == cudaLaunchAttributeClusterDimension) {
      launch.cluster = {attribute.val.clusterDim.x, attribute.val.clusterDim.y, attribute.val.clusterDim.z};
    }
  }
  return submit_launch(launch, config->stream, meaning);
}

}  // namespace

RUNTIME_LAUNCH_TWINS(cudaLaunchKernel, v7000, v7000, kernel_name(func),
                     (const void* func, dim3 gridDim, dim3 blockDim, void** args, std::size_t sharedMem,
                      cudaStream_t stream),
                     (func, gridDim, blockDim, args, sharedMem, stream)) {
  return submit_launch(
      {.kernel = find_kernel(func), .grid = gridDim, .block = blockDim, .shared_bytes = sharedMem, .arguments = args},
      stream, default_stream);
}

RUNTIME_LAUNCH_TWINS(cudaLaunchCooperativeKernel, v9000, v9000, kernel_name(func),
                     (const void* func, dim3 gridDim, dim3 blockDim, void** args, std::size_t sharedMem,
                      cudaStream_t stream),
                     (func, gridDim, blockDim, args, sharedMem, stream)) {
  return submit_launch({.kernel = find_kernel(func),
                        .grid = gridDim,
                        .block = blockDim,
                        .shared_bytes = sharedMem,
                        .arguments = args,
                        .is_cooperative = true},
                       stream, default_stream);
}

RUNTIME_LAUNCH_TWINS(cudaLaunchKernelExC, v11060, v11060, kernel_name(func),
                     (const cudaLaunchConfig_t* config, const void* func, void** args), (config, func, args)) {
  return launch_with_attributes(config, func, args, default_stream);
}

// <<<>>> compiles to this call since CUDA 13. CUPTI documents no parameter struct for it. The parameters are those of
// cudaLaunchKernel, with a kernel handle instead of the stub.
struct __cudaLaunchKernel_v13000_params {
  cudaKernel_t kernel;
  dim3 gridDim;
  dim3 blockDim;
  void** args;
  std::size_t sharedMem;
  cudaStream_t stream;
};
using __cudaLaunchKernel_ptsz_v13000_params = __cudaLaunchKernel_v13000_params;

RUNTIME_LAUNCH_TWINS(__cudaLaunchKernel, v13000, v13000, kernel_name(kernel),
                     (cudaKernel_t kernel, dim3 gridDim, dim3 blockDim, void** args, std::size_t sharedMem,
                      cudaStream_t stream),
                     (kernel, gridDim, blockDim, args, sharedMem, stream)) {
  return submit_launch(
      {.kernel = find_kernel(kernel), .grid = gridDim, .block = blockDim, .shared_bytes = sharedMem, .arguments = args},
      stream, default_stream);
}

}  // namespace simgpu
