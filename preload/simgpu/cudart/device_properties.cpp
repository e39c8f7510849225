// Device properties and single attributes.
#include "simgpu/engine/device_properties.h"

#include "simgpu/cudart/runtime_call.h"
#include "simgpu/engine/device.h"

namespace simgpu {

RUNTIME_QUERY(cudaDeviceGetAttribute, v5000, (int* value, cudaDeviceAttr attr, int device), (value, attr, device)) {
  if (value == nullptr) return cudaErrorInvalidValue;
  if (!is_device(device)) return cudaErrorInvalidDevice;
  const auto found = device_attribute(attr, device);
  if (!found) return cudaErrorInvalidValue;
  *value = *found;
  return cudaSuccess;
}

#if SIMGPU_CUDART_MAJOR >= 13
RUNTIME_QUERY(cudaGetDeviceProperties, v12000, (cudaDeviceProp * prop, int device), (prop, device)) {
  if (prop == nullptr) return cudaErrorInvalidValue;
  if (!is_device(device)) return cudaErrorInvalidDevice;
  *prop = device_properties(device);
  return cudaSuccess;
}
#endif

}  // namespace simgpu
