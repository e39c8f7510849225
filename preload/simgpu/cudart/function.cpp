// Attributes and names of kernels.
#include <cstring>

#include "simgpu/cudart/runtime_call.h"
#include "simgpu/engine/device.h"
#include "simgpu/engine/device_properties.h"
#include "simgpu/engine/kernel.h"

namespace simgpu {
namespace {

cudaError_t set_attribute(Kernel* kernel, cudaFuncAttribute attribute, int value) {
  if (kernel == nullptr) return cudaErrorInvalidDeviceFunction;
  switch (attribute) {
    case cudaFuncAttributeMaxDynamicSharedMemorySize:
      if (value < 0 || value > max_optin_shared_bytes()) return cudaErrorInvalidValue;
      kernel->max_dynamic_shared_bytes = value;
      return cudaSuccess;
    case cudaFuncAttributePreferredSharedMemoryCarveout:
      if (value < -1 || value > 100) return cudaErrorInvalidValue;
      kernel->preferred_carveout = value;
      return cudaSuccess;
    case cudaFuncAttributeNonPortableClusterSizeAllowed:
      kernel->allows_nonportable_clusters = value;
      return cudaSuccess;
    default:
      return cudaErrorInvalidValue;
  }
}

}  // namespace

RUNTIME_CALL(cudaFuncGetAttributes, v3020, (cudaFuncAttributes * attr, const void* func), (attr, func)) {
  if (attr == nullptr) return cudaErrorInvalidValue;
  const Kernel* kernel = find_kernel(func);
  if (kernel == nullptr) return cudaErrorInvalidDeviceFunction;
  const DeviceProfile& profile = device_profile();
  std::memset(attr, 0, sizeof *attr);
  attr->maxThreadsPerBlock = device_properties(current_device()).maxThreadsPerBlock;
  attr->numRegs = kRegistersPerThread;
  attr->ptxVersion = attr->binaryVersion = profile.major * 10 + profile.minor;
  attr->maxDynamicSharedSizeBytes = kernel->max_dynamic_shared_bytes;
  attr->preferredShmemCarveout = kernel->preferred_carveout;
  attr->nonPortableClusterSizeAllowed = kernel->allows_nonportable_clusters;
  return cudaSuccess;
}

RUNTIME_CALL(cudaFuncSetAttribute, v9000, (const void* func, cudaFuncAttribute attr, int value), (func, attr, value)) {
  return set_attribute(find_kernel(func), attr, value);
}

RUNTIME_CALL(cudaKernelSetAttributeForDevice, v12060,
             (cudaKernel_t kernel, cudaFuncAttribute attr, int value, int device), (kernel, attr, value, device)) {
  if (!is_device(device)) return cudaErrorInvalidDevice;
  return set_attribute(find_kernel(kernel), attr, value);
}

RUNTIME_CALL(cudaFuncSetCacheConfig, v3020, (const void* func, cudaFuncCache cacheConfig), (func, cacheConfig)) {
  if (cacheConfig < cudaFuncCachePreferNone || cacheConfig > cudaFuncCachePreferEqual) return cudaErrorInvalidValue;
  return find_kernel(func) != nullptr ? cudaSuccess : cudaErrorInvalidDeviceFunction;
}

RUNTIME_CALL(cudaFuncSetSharedMemConfig, v4020, (const void* func, cudaSharedMemConfig config), (func, config)) {
  if (config < cudaSharedMemBankSizeDefault || config > cudaSharedMemBankSizeEightByte) return cudaErrorInvalidValue;
  return find_kernel(func) != nullptr ? cudaSuccess : cudaErrorInvalidDeviceFunction;
}

RUNTIME_CALL(cudaFuncGetName, v12030, (const char** name, const void* func), (name, func)) {
  if (name == nullptr) return cudaErrorInvalidValue;
  const Kernel* kernel = find_kernel(func);
  if (kernel == nullptr) return cudaErrorInvalidDeviceFunction;
  *name = kernel->name;
  return cudaSuccess;
}

}  // namespace simgpu
