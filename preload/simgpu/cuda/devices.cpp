// Devices: how many, which, and what they can do.
#include <cstdio>
#include <cstring>

#include "simgpu/cuda/driver_call.h"
#include "simgpu/engine/device.h"
#include "simgpu/engine/device_properties.h"
#include "simgpu/engine/memory.h"

namespace simgpu {
namespace {

// Attributes that only the driver has, if the answer is not 0.
std::optional<int> driver_attribute(CUdevice_attribute attribute) {
  switch (attribute) {
    case CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED:
    case CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED:
      return 1;
    default:
      return std::nullopt;
  }
}

CUresult copy_text(char* out, int length, const char* text) {
  if (out == nullptr || length <= 0) return CUDA_ERROR_INVALID_VALUE;
  std::snprintf(out, static_cast<std::size_t>(length), "%s", text);
  return CUDA_SUCCESS;
}

CUresult tell_uuid(CUuuid* out, CUdevice device) {
  if (out == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (!is_device(device)) return CUDA_ERROR_INVALID_DEVICE;
  const auto bytes = device_uuid(physical_device(device));
  std::memcpy(out->bytes, bytes.data(), bytes.size());
  return CUDA_SUCCESS;
}

}  // namespace

DRIVER_QUERY(cuDeviceGetCount, (int* count), (count)) {
  if (count == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *count = device_count();
  return CUDA_SUCCESS;
}

DRIVER_QUERY(cuDeviceGet, (CUdevice * device, int ordinal), (device, ordinal)) {
  if (device == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (!is_device(ordinal)) return CUDA_ERROR_INVALID_DEVICE;
  *device = ordinal;
  return CUDA_SUCCESS;
}

DRIVER_QUERY(cuDeviceGetName, (char* name, int len, CUdevice dev), (name, len, dev)) {
  return is_device(dev) ? copy_text(name, len, device_properties(dev).name) : CUDA_ERROR_INVALID_DEVICE;
}

DRIVER_QUERY(cuDeviceTotalMem_v2, (std::size_t * bytes, CUdevice dev), (bytes, dev)) {
  if (bytes == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (!is_device(dev)) return CUDA_ERROR_INVALID_DEVICE;
  *bytes = memory_info(dev).total_bytes;
  return CUDA_SUCCESS;
}

DRIVER_QUERY(cuDeviceGetAttribute, (int* pi, CUdevice_attribute attrib, CUdevice dev), (pi, attrib, dev)) {
  if (pi == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (!is_device(dev)) return CUDA_ERROR_INVALID_DEVICE;
  const auto own = driver_attribute(attrib);
  const auto value = own ? own : device_attribute(attrib, dev);
  if (!value) return CUDA_ERROR_INVALID_VALUE;
  *pi = *value;
  return CUDA_SUCCESS;
}

DRIVER_QUERY(cuDeviceGetUuid_v2, (CUuuid * uuid, CUdevice dev), (uuid, dev)) { return tell_uuid(uuid, dev); }

// The version before CUDA 11.4.
DRIVER_QUERY(cuDeviceGetUuid, (CUuuid * uuid, CUdevice dev), (uuid, dev)) { return tell_uuid(uuid, dev); }

DRIVER_QUERY(cuDeviceComputeCapability, (int* major, int* minor, CUdevice dev), (major, minor, dev)) {
  if (major == nullptr || minor == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (!is_device(dev)) return CUDA_ERROR_INVALID_DEVICE;
  *major = device_profile().major;
  *minor = device_profile().minor;
  return CUDA_SUCCESS;
}

DRIVER_QUERY(cuDeviceCanAccessPeer, (int* canAccessPeer, CUdevice dev, CUdevice peerDev),
             (canAccessPeer, dev, peerDev)) {
  if (canAccessPeer == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (!is_device(dev) || !is_device(peerDev)) return CUDA_ERROR_INVALID_DEVICE;
  *canAccessPeer = dev != peerDev;
  return CUDA_SUCCESS;
}

DRIVER_QUERY(cuDeviceGetPCIBusId, (char* pciBusId, int len, CUdevice dev), (pciBusId, len, dev)) {
  if (!is_device(dev)) return CUDA_ERROR_INVALID_DEVICE;
  const cudaDeviceProp& p = device_properties(dev);
  char text[16];
  std::snprintf(text, sizeof text, "%04X:%02X:%02X.0", p.pciDomainID & 0xffff, p.pciBusID & 0xff, p.pciDeviceID & 0xff);
  return copy_text(pciBusId, len, text);
}

}  // namespace simgpu
