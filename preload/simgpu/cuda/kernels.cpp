// Launches, attributes and occupancy of kernels. A CUfunction, a CUkernel and the runtime's handles are the same.
#include "simgpu/cuda/driver_call.h"
#include "simgpu/engine/device.h"
#include "simgpu/engine/device_properties.h"
#include "simgpu/engine/kernel.h"
#include "simgpu/engine/launch.h"

namespace simgpu {
namespace {

CUresult tell_attribute(int* out, CUfunction_attribute attribute, const Kernel* kernel) {
  if (out == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (kernel == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  switch (attribute) {
    case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
      *out = device_properties(current_device()).maxThreadsPerBlock;
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_NUM_REGS:
      *out = kRegistersPerThread;
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_PTX_VERSION:
    case CU_FUNC_ATTRIBUTE_BINARY_VERSION:
      *out = device_profile().major * 10 + device_profile().minor;
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
      *out = kernel->max_dynamic_shared_bytes;
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
      *out = kernel->preferred_carveout;
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED:
      *out = kernel->allows_nonportable_clusters;
      return CUDA_SUCCESS;
    default:
      *out = 0;
      return attribute < CU_FUNC_ATTRIBUTE_MAX ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
  }
}

CUresult set_attribute(Kernel* kernel, CUfunction_attribute attribute, int value) {
  if (kernel == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  switch (attribute) {
    case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
      if (value < 0 || value > max_optin_shared_bytes()) return CUDA_ERROR_INVALID_VALUE;
      kernel->max_dynamic_shared_bytes = value;
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
      if (value < -1 || value > 100) return CUDA_ERROR_INVALID_VALUE;
      kernel->preferred_carveout = value;
      return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED:
      kernel->allows_nonportable_clusters = value;
      return CUDA_SUCCESS;
    default:
      return CUDA_ERROR_INVALID_VALUE;
  }
}

Launch launch_of(CUfunction function, const CUlaunchConfig& config, void** arguments) {
  Launch launch{.kernel = find_kernel(function),
                .grid = {config.gridDimX, config.gridDimY, config.gridDimZ},
                .block = {config.blockDimX, config.blockDimY, config.blockDimZ},
                .shared_bytes = config.sharedMemBytes,
                .arguments = arguments};
  for (unsigned i = 0; i < config.numAttrs; ++i) {
    const CUlaunchAttribute& attribute = config.attrs[i];
    if (attribute.id == CU_LAUNCH_ATTRIBUTE_COOPERATIVE) launch.is_cooperative = attribute.value.cooperative != 0;
    if (attribute.id == CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION) {
      const auto& cluster = attribute.value.clusterDim;
      launch.cluster = {cluster.x, cluster.y, cluster.z};
    }
  }
  return launch;
}

CUresult max_active_blocks(int* out, CUfunction function, int block_size, std::size_t shared_bytes) {
  const int most_threads = device_properties(current_device()).maxThreadsPerBlock;
  if (out == nullptr || block_size <= 0 || block_size > most_threads) return CUDA_ERROR_INVALID_VALUE;
  if (find_kernel(function) == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  *out = resident_blocks_per_sm(block_size, shared_bytes);
  return CUDA_SUCCESS;
}

}  // namespace

#define PLAIN_LAUNCH                                                                                              \
  (CUfunction f, unsigned gridDimX, unsigned gridDimY, unsigned gridDimZ, unsigned blockDimX, unsigned blockDimY, \
   unsigned blockDimZ, unsigned sharedMemBytes, CUstream hStream, void** kernelParams, void** extra)
#define PLAIN_LAUNCH_ARGUMENTS \
  (f, gridDimX, gridDimY, gridDimZ, blockDimX, blockDimY, blockDimZ, sharedMemBytes, hStream, kernelParams, extra)

DRIVER_LAUNCH_TWINS(cuLaunchKernel, _ptsz, kernel_name(f), PLAIN_LAUNCH, PLAIN_LAUNCH_ARGUMENTS) {
  static_cast<void>(extra);  // arguments in one buffer, which nothing reads
  return driver_result(submit_launch({.kernel = find_kernel(f),
                                      .grid = {gridDimX, gridDimY, gridDimZ},
                                      .block = {blockDimX, blockDimY, blockDimZ},
                                      .shared_bytes = sharedMemBytes,
                                      .arguments = kernelParams},
                                     hStream, default_stream));
}

DRIVER_LAUNCH_TWINS(cuLaunchKernelEx, _ptsz, kernel_name(f),
                    (const CUlaunchConfig* config, CUfunction f, void** kernelParams, void** extra),
                    (config, f, kernelParams, extra)) {
  static_cast<void>(extra);
  if (config == nullptr || (config->attrs == nullptr && config->numAttrs > 0)) return CUDA_ERROR_INVALID_VALUE;
  return driver_result(submit_launch(launch_of(f, *config, kernelParams), config->hStream, default_stream));
}

DRIVER_LAUNCH_TWINS(cuLaunchCooperativeKernel, _ptsz, kernel_name(f),
                    (CUfunction f, unsigned gridDimX, unsigned gridDimY, unsigned gridDimZ, unsigned blockDimX,
                     unsigned blockDimY, unsigned blockDimZ, unsigned sharedMemBytes, CUstream hStream,
                     void** kernelParams),
                    (f, gridDimX, gridDimY, gridDimZ, blockDimX, blockDimY, blockDimZ, sharedMemBytes, hStream,
                     kernelParams)) {
  return driver_result(submit_launch({.kernel = find_kernel(f),
                                      .grid = {gridDimX, gridDimY, gridDimZ},
                                      .block = {blockDimX, blockDimY, blockDimZ},
                                      .shared_bytes = sharedMemBytes,
                                      .arguments = kernelParams,
                                      .is_cooperative = true},
                                     hStream, default_stream));
}

DRIVER_QUERY(cuFuncGetAttribute, (int* pi, CUfunction_attribute attrib, CUfunction hfunc), (pi, attrib, hfunc)) {
  return tell_attribute(pi, attrib, find_kernel(hfunc));
}

DRIVER_QUERY(cuFuncSetAttribute, (CUfunction hfunc, CUfunction_attribute attrib, int value), (hfunc, attrib, value)) {
  return set_attribute(find_kernel(hfunc), attrib, value);
}

DRIVER_QUERY(cuFuncSetCacheConfig, (CUfunction hfunc, CUfunc_cache config), (hfunc, config)) {
  if (config < CU_FUNC_CACHE_PREFER_NONE || config > CU_FUNC_CACHE_PREFER_EQUAL) return CUDA_ERROR_INVALID_VALUE;
  return find_kernel(hfunc) != nullptr ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

DRIVER_QUERY(cuFuncGetName, (const char** name, CUfunction hfunc), (name, hfunc)) {
  if (name == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *name = kernel_name(hfunc);
  return *name != nullptr ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

DRIVER_QUERY(cuKernelGetFunction, (CUfunction * pFunc, CUkernel kernel), (pFunc, kernel)) {
  if (pFunc == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (find_kernel(kernel) == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  *pFunc = reinterpret_cast<CUfunction>(kernel);
  return CUDA_SUCCESS;
}

DRIVER_QUERY(cuKernelGetName, (const char** name, CUkernel hfunc), (name, hfunc)) {
  if (name == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *name = kernel_name(hfunc);
  return *name != nullptr ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

DRIVER_QUERY(cuKernelGetAttribute, (int* pi, CUfunction_attribute attrib, CUkernel kernel, CUdevice dev),
             (pi, attrib, kernel, dev)) {
  if (!is_device(dev)) return CUDA_ERROR_INVALID_DEVICE;
  return tell_attribute(pi, attrib, find_kernel(kernel));
}

DRIVER_QUERY(cuKernelSetAttribute, (CUfunction_attribute attrib, int val, CUkernel kernel, CUdevice dev),
             (attrib, val, kernel, dev)) {
  if (!is_device(dev)) return CUDA_ERROR_INVALID_DEVICE;
  return set_attribute(find_kernel(kernel), attrib, val);
}

DRIVER_CALL(cuOccupancyMaxActiveBlocksPerMultiprocessor,
            (int* numBlocks, CUfunction func, int blockSize, std::size_t dynamicSMemSize),
            (numBlocks, func, blockSize, dynamicSMemSize)) {
  return max_active_blocks(numBlocks, func, blockSize, dynamicSMemSize);
}

DRIVER_CALL(cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags,
            (int* numBlocks, CUfunction func, int blockSize, std::size_t dynamicSMemSize, unsigned flags),
            (numBlocks, func, blockSize, dynamicSMemSize, flags)) {
  if (flags > CU_OCCUPANCY_DISABLE_CACHING_OVERRIDE) return CUDA_ERROR_INVALID_VALUE;
  return max_active_blocks(numBlocks, func, blockSize, dynamicSMemSize);
}

}  // namespace simgpu
