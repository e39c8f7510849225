// Choosing a device, its limits and modes, and its reset.
#include "simgpu/engine/device.h"

#include <array>
#include <cstdio>
#include <cstring>
#include <map>
#include <mutex>
#include <string>

#include "simgpu/cudart/runtime_call.h"
#include "simgpu/engine/device_properties.h"
#include "simgpu/engine/memory.h"

namespace simgpu {
namespace {

struct DeviceModes {
  std::mutex mutex;
  std::map<int, unsigned> flags;
  std::map<std::pair<int, cudaLimit>, std::size_t> limits;
  std::map<int, cudaFuncCache> cache;
};

DeviceModes& modes() {
  static auto* const instance = new DeviceModes;
  return *instance;
}

std::size_t initial_limit(cudaLimit limit) {
  switch (limit) {
    case cudaLimitStackSize:
      return 1024;
    case cudaLimitPrintfFifoSize:
      return 7 << 20;
    case cudaLimitMallocHeapSize:
      return 8 << 20;
    case cudaLimitDevRuntimeSyncDepth:
      return 2;
    case cudaLimitDevRuntimePendingLaunchCount:
      return 2048;
    case cudaLimitMaxL2FetchGranularity:
      return 64;
    default:
      return 0;
  }
}

bool is_limit(cudaLimit limit) { return limit >= cudaLimitStackSize && limit <= cudaLimitPersistingL2CacheSize; }

bool is_flags(unsigned flags) {
  const unsigned schedule = flags & cudaDeviceScheduleMask;
  const bool one_schedule = (schedule & (schedule - 1)) == 0;
  return one_schedule && (flags & ~unsigned{cudaDeviceMask}) == 0;
}

std::string bus_id(int device) {
  std::array<char, 16> text;
  const cudaDeviceProp& p = device_properties(device);
  std::snprintf(text.data(), text.size(), "%04X:%02X:%02X.0", p.pciDomainID & 0xffff, p.pciBusID & 0xff,
                p.pciDeviceID & 0xff);
  return text.data();
}

}  // namespace

RUNTIME_QUERY(cudaGetDeviceCount, v3020, (int* count), (count)) {
  if (count == nullptr) return cudaErrorInvalidValue;
  *count = device_count();
  return *count > 0 ? cudaSuccess : cudaErrorNoDevice;
}

RUNTIME_QUERY(cudaGetDevice, v3020, (int* device), (device)) {
  if (device == nullptr) return cudaErrorInvalidValue;
  if (device_count() == 0) return cudaErrorNoDevice;
  *device = current_device();
  return cudaSuccess;
}

RUNTIME_QUERY(cudaSetDevice, v3020, (int device), (device)) {
  if (device_count() == 0) return cudaErrorNoDevice;
  if (!is_device(device)) return cudaErrorInvalidDevice;
  const cudaError_t error = set_current_device(device);
  context_of(device);  // since CUDA 12 this call creates the context
  return error;
}

RUNTIME_CALL(cudaInitDevice, v12000, (int device, unsigned deviceFlags, unsigned flags), (device, deviceFlags, flags)) {
  if (!is_device(device)) return cudaErrorInvalidDevice;
  if (flags > cudaInitDeviceFlagsAreValid || !is_flags(deviceFlags)) return cudaErrorInvalidValue;
  context_of(device);
  if (flags == cudaInitDeviceFlagsAreValid) {
    const std::lock_guard lock(modes().mutex);
    modes().flags[device] = deviceFlags;
  }
  return cudaSuccess;
}

RUNTIME_QUERY(cudaSetDeviceFlags, v3020, (unsigned flags), (flags)) {
  if (!is_flags(flags)) return cudaErrorInvalidValue;
  const std::lock_guard lock(modes().mutex);
  modes().flags[current_device()] = flags;
  return cudaSuccess;
}

RUNTIME_QUERY(cudaGetDeviceFlags, v7000, (unsigned* flags), (flags)) {
  if (flags == nullptr) return cudaErrorInvalidValue;
  const std::lock_guard lock(modes().mutex);
  *flags = modes().flags[current_device()] | cudaDeviceMapHost;
  return cudaSuccess;
}

RUNTIME_QUERY(cudaSetValidDevices, v3020, (int* device_arr, int len), (device_arr, len)) {
  if (len < 0 || (device_arr == nullptr && len > 0)) return cudaErrorInvalidValue;
  for (int i = 0; i < len; ++i) {
    if (!is_device(device_arr[i])) return cudaErrorInvalidDevice;
  }
  return len > 0 ? set_current_device(device_arr[0]) : cudaSuccess;
}

RUNTIME_QUERY(cudaChooseDevice, v3020, (int* device, const cudaDeviceProp* prop), (device, prop)) {
  if (device == nullptr || prop == nullptr) return cudaErrorInvalidValue;
  if (device_count() == 0) return cudaErrorNoDevice;
  *device = 0;  // all devices are alike
  return cudaSuccess;
}

RUNTIME_QUERY(cudaDeviceGetPCIBusId, v4010, (char* pciBusId, int len, int device), (pciBusId, len, device)) {
  if (pciBusId == nullptr || len <= 0) return cudaErrorInvalidValue;
  if (!is_device(device)) return cudaErrorInvalidDevice;
  std::snprintf(pciBusId, static_cast<std::size_t>(len), "%s", bus_id(device).c_str());
  return cudaSuccess;
}

RUNTIME_QUERY(cudaDeviceGetByPCIBusId, v4010, (int* device, const char* pciBusId), (device, pciBusId)) {
  if (device == nullptr || pciBusId == nullptr) return cudaErrorInvalidValue;
  for (int i = 0; i < device_count(); ++i) {
    if (bus_id(i) != pciBusId) continue;
    *device = i;
    return cudaSuccess;
  }
  return cudaErrorInvalidDevice;
}

RUNTIME_CALL(cudaDeviceGetStreamPriorityRange, v5050, (int* leastPriority, int* greatestPriority),
             (leastPriority, greatestPriority)) {
  if (leastPriority != nullptr) *leastPriority = kLeastPriority;
  if (greatestPriority != nullptr) *greatestPriority = kGreatestPriority;
  return cudaSuccess;
}

RUNTIME_CALL(cudaDeviceSetLimit, v3020, (cudaLimit limit, std::size_t value), (limit, value)) {
  if (!is_limit(limit)) return cudaErrorUnsupportedLimit;
  const std::lock_guard lock(modes().mutex);
  modes().limits[{current_device(), limit}] = value;
  return cudaSuccess;
}

RUNTIME_CALL(cudaDeviceGetLimit, v3020, (std::size_t * pValue, cudaLimit limit), (pValue, limit)) {
  if (pValue == nullptr) return cudaErrorInvalidValue;
  if (!is_limit(limit)) return cudaErrorUnsupportedLimit;
  const std::lock_guard lock(modes().mutex);
  const auto found = modes().limits.find({current_device(), limit});
  *pValue = found != modes().limits.end() ? found->second : initial_limit(limit);
  return cudaSuccess;
}

RUNTIME_CALL(cudaDeviceSetCacheConfig, v3020, (cudaFuncCache cacheConfig), (cacheConfig)) {
  if (cacheConfig < cudaFuncCachePreferNone || cacheConfig > cudaFuncCachePreferEqual) return cudaErrorInvalidValue;
  const std::lock_guard lock(modes().mutex);
  modes().cache[current_device()] = cacheConfig;
  return cudaSuccess;
}

RUNTIME_CALL(cudaDeviceGetCacheConfig, v3020, (cudaFuncCache * pCacheConfig), (pCacheConfig)) {
  if (pCacheConfig == nullptr) return cudaErrorInvalidValue;
  const std::lock_guard lock(modes().mutex);
  *pCacheConfig = modes().cache[current_device()];
  return cudaSuccess;
}

RUNTIME_CALL(cudaDeviceSetSharedMemConfig, v4020, (cudaSharedMemConfig config), (config)) {
  const bool known = config >= cudaSharedMemBankSizeDefault && config <= cudaSharedMemBankSizeEightByte;
  return known ? cudaSuccess : cudaErrorInvalidValue;
}

// Since Maxwell, banks are always four bytes wide.
RUNTIME_CALL(cudaDeviceGetSharedMemConfig, v4020, (cudaSharedMemConfig * pConfig), (pConfig)) {
  if (pConfig == nullptr) return cudaErrorInvalidValue;
  *pConfig = cudaSharedMemBankSizeFourByte;
  return cudaSuccess;
}

RUNTIME_CALL(cudaDeviceFlushGPUDirectRDMAWrites, v11030,
             (cudaFlushGPUDirectRDMAWritesTarget target, cudaFlushGPUDirectRDMAWritesScope scope), (target, scope)) {
  static_cast<void>(target);
  static_cast<void>(scope);
  return cudaErrorNotSupported;
}

RUNTIME_CALL_WITHOUT_PARAMETERS(cudaDeviceSynchronize, v3020) { return synchronize_device(current_device()); }

RUNTIME_CALL_WITHOUT_PARAMETERS(cudaDeviceReset, v3020) {
  abandon_device(current_device());
  free_all_of_device(current_device());
  return cudaSuccess;
}

RUNTIME_CALL_WITHOUT_PARAMETERS(cudaCtxResetPersistingL2Cache, v11000) { return cudaSuccess; }

}  // namespace simgpu
