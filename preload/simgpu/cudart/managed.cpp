// Hints and migrations of managed memory. Pages do not move here: a prefetch takes no time, but keeps its position in
// the stream.
#include "simgpu/cudart/managed.h"

#include "simgpu/cudart/runtime_call.h"
#include "simgpu/engine/device.h"
#include "simgpu/engine/memory.h"

namespace simgpu {
namespace {

bool is_managed_range(const void* address, std::size_t bytes) {
  const auto allocation = find_allocation(address);
  if (bytes == 0 || !allocation || allocation->kind != MemoryKind::Managed) return false;
  const auto offset = static_cast<const char*>(address) - static_cast<const char*>(allocation->base);
  return bytes <= allocation->bytes - static_cast<std::size_t>(offset);
}

cudaError_t check_location(const cudaMemLocation& location) {
  switch (location.type) {
    case cudaMemLocationTypeDevice:
      return location.id >= 0 && location.id < device_count() ? cudaSuccess : cudaErrorInvalidDevice;
    case cudaMemLocationTypeHost:
    case cudaMemLocationTypeHostNuma:
    case cudaMemLocationTypeHostNumaCurrent:
      return cudaSuccess;
    default:
      return cudaErrorInvalidValue;
  }
}

}  // namespace

cudaMemLocation location_of(int device) {
  cudaMemLocation location = {};
  location.type = device == cudaCpuDeviceId ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice;
  location.id = device == cudaCpuDeviceId ? 0 : device;
  return location;
}

cudaError_t prefetch(const void* address, std::size_t bytes, const cudaMemLocation& location, cudaStream_t handle,
                     DefaultStream meaning) {
  if (!is_managed_range(address, bytes)) return cudaErrorInvalidValue;
  const cudaError_t error = check_location(location);
  if (error != cudaSuccess) return error;
  const StreamRef stream = find_stream(handle, meaning);
  return stream == nullptr ? cudaErrorInvalidResourceHandle : submit(stream, {});
}

cudaError_t advise(const void* address, std::size_t bytes, cudaMemoryAdvise advice, const cudaMemLocation& location) {
  if (!is_managed_range(address, bytes)) return cudaErrorInvalidValue;
  if (advice < cudaMemAdviseSetReadMostly || advice > cudaMemAdviseUnsetAccessedBy) return cudaErrorInvalidValue;
  const bool is_about_a_place = advice != cudaMemAdviseSetReadMostly && advice != cudaMemAdviseUnsetReadMostly &&
                                advice != cudaMemAdviseUnsetPreferredLocation;
  return is_about_a_place ? check_location(location) : cudaSuccess;
}

RUNTIME_RENAMED_TWINS(RENAMED_IN_12(cudaMemPrefetchAsync, _v2), cudaMemPrefetchAsync, _ptsz, v12020, v12020,
                      (const void* devPtr, std::size_t count, cudaMemLocation location, unsigned flags,
                       cudaStream_t stream),
                      (devPtr, count, location, flags, stream)) {
  return flags != 0 ? cudaErrorInvalidValue : prefetch(devPtr, count, location, stream, default_stream);
}

RUNTIME_CALL_NEEDING(Needs::Device, RENAMED_IN_12(cudaMemAdvise, _v2), cudaMemAdvise, v12020,
                     (const void* devPtr, std::size_t count, cudaMemoryAdvise advice, cudaMemLocation location),
                     (devPtr, count, advice, location)) {
  return advise(devPtr, count, advice, location);
}

RUNTIME_TWINS(cudaStreamAttachMemAsync, _ptsz, v6000, v7000,
              (cudaStream_t stream, void* devPtr, std::size_t length, unsigned flags),
              (stream, devPtr, length, flags)) {
  if (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost && flags != cudaMemAttachSingle) {
    return cudaErrorInvalidValue;
  }
  if (!is_managed_range(devPtr, length == 0 ? 1 : length)) return cudaErrorInvalidValue;
  const StreamRef found = find_stream(stream, default_stream);
  return found == nullptr ? cudaErrorInvalidResourceHandle : submit(found, {});
}

}  // namespace simgpu
