// Allocation of device, pinned and managed memory, and attributes of pointers.
#include "simgpu/engine/memory.h"

#include "simgpu/cudart/runtime_call.h"
#include "simgpu/engine/device.h"

namespace simgpu {
namespace {

constexpr std::size_t kPitchAlignment = 512;

cudaError_t allocate(void** out, std::size_t bytes) {
  if (out == nullptr) return cudaErrorInvalidValue;
  const cudaError_t error = check_unsafe_call();
  return error != cudaSuccess ? error : allocate_device(current_device(), bytes, out);
}

cudaError_t allocate_host(void** out, std::size_t bytes, unsigned flags) {
  constexpr unsigned kKnown = cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined;
  if (out == nullptr || (flags & ~kKnown) != 0) return cudaErrorInvalidValue;
  const cudaError_t error = check_unsafe_call();
  return error != cudaSuccess ? error : allocate_pinned(current_device(), bytes, flags, out);
}

cudaError_t allocate_pitched(void** out, std::size_t* pitch, std::size_t width, std::size_t rows) {
  if (pitch == nullptr) return cudaErrorInvalidValue;
  *pitch = (width + kPitchAlignment - 1) / kPitchAlignment * kPitchAlignment;
  return allocate(out, *pitch * rows);
}

// Only the start of an allocation of the right kind can be freed. The free waits for work that may use the memory.
cudaError_t wait_before_free(void* address, bool is_host) {
  const auto allocation = find_allocation(address);
  if (!allocation || allocation->base != address || (allocation->kind == MemoryKind::Pinned) != is_host) {
    return cudaErrorInvalidValue;
  }
  return synchronize_device(allocation->device);
}

cudaMemoryType type_of(MemoryKind kind) {
  switch (kind) {
    case MemoryKind::Pinned:
      return cudaMemoryTypeHost;
    case MemoryKind::Device:
      return cudaMemoryTypeDevice;
    case MemoryKind::Managed:
      return cudaMemoryTypeManaged;
    default:
      return cudaMemoryTypeUnregistered;
  }
}

}  // namespace

RUNTIME_CALL(cudaMalloc, v3020, (void** devPtr, std::size_t size), (devPtr, size)) { return allocate(devPtr, size); }

RUNTIME_CALL(cudaMallocPitch, v3020, (void** devPtr, std::size_t* pitch, std::size_t width, std::size_t height),
             (devPtr, pitch, width, height)) {
  return allocate_pitched(devPtr, pitch, width, height);
}

RUNTIME_CALL(cudaMalloc3D, v3020, (cudaPitchedPtr * pitchedDevPtr, cudaExtent extent), (pitchedDevPtr, extent)) {
  if (pitchedDevPtr == nullptr) return cudaErrorInvalidValue;
  pitchedDevPtr->xsize = extent.width;
  pitchedDevPtr->ysize = extent.height;
  return allocate_pitched(&pitchedDevPtr->ptr, &pitchedDevPtr->pitch, extent.width, extent.height * extent.depth);
}

RUNTIME_CALL(cudaMallocManaged, v6000, (void** devPtr, std::size_t size, unsigned flags), (devPtr, size, flags)) {
  if (devPtr == nullptr || size == 0) return cudaErrorInvalidValue;
  if (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost) return cudaErrorInvalidValue;
  const cudaError_t error = check_unsafe_call();
  return error != cudaSuccess ? error : allocate_managed(current_device(), size, devPtr);
}

RUNTIME_CALL(cudaMallocHost, v3020, (void** ptr, std::size_t size), (ptr, size)) {
  return allocate_host(ptr, size, cudaHostAllocDefault);
}

RUNTIME_CALL(cudaHostAlloc, v3020, (void** pHost, std::size_t size, unsigned flags), (pHost, size, flags)) {
  return allocate_host(pHost, size, flags);
}

RUNTIME_CALL(cudaFree, v3020, (void* devPtr), (devPtr)) {
  if (devPtr == nullptr) return cudaSuccess;
  cudaError_t error = check_unsafe_call();
  if (error == cudaSuccess) error = wait_before_free(devPtr, false);
  return error != cudaSuccess ? error : free_device(devPtr);
}

RUNTIME_CALL(cudaFreeHost, v3020, (void* ptr), (ptr)) {
  if (ptr == nullptr) return cudaSuccess;
  cudaError_t error = check_unsafe_call();
  if (error == cudaSuccess) error = wait_before_free(ptr, true);
  return error != cudaSuccess ? error : free_pinned(ptr);
}

RUNTIME_CALL(cudaHostRegister, v4000, (void* ptr, std::size_t size, unsigned flags), (ptr, size, flags)) {
  constexpr unsigned kKnown =
      cudaHostRegisterPortable | cudaHostRegisterMapped | cudaHostRegisterIoMemory | cudaHostRegisterReadOnly;
  if (ptr == nullptr || size == 0 || (flags & ~kKnown) != 0) return cudaErrorInvalidValue;
  const cudaError_t error = check_unsafe_call();
  return error != cudaSuccess ? error : register_pinned(current_device(), ptr, size, flags);
}

RUNTIME_CALL(cudaHostUnregister, v4000, (void* ptr), (ptr)) {
  if (ptr == nullptr) return cudaErrorInvalidValue;
  const cudaError_t error = check_unsafe_call();
  return error != cudaSuccess ? error : unregister_pinned(ptr);
}

RUNTIME_CALL(cudaHostGetDevicePointer, v3020, (void** pDevice, void* pHost, unsigned flags), (pDevice, pHost, flags)) {
  if (pDevice == nullptr || flags != 0 || memory_kind(pHost) != MemoryKind::Pinned) return cudaErrorInvalidValue;
  *pDevice = pHost;
  return cudaSuccess;
}

RUNTIME_CALL(cudaHostGetFlags, v3020, (unsigned* pFlags, void* pHost), (pFlags, pHost)) {
  const auto allocation = find_allocation(pHost);
  if (pFlags == nullptr || !allocation || allocation->kind != MemoryKind::Pinned) return cudaErrorInvalidValue;
  *pFlags = allocation->flags | cudaHostAllocMapped;  // always mapped, because addressing is unified
  return cudaSuccess;
}

RUNTIME_CALL(cudaMemGetInfo, v3020, (std::size_t * free, std::size_t* total), (free, total)) {
  if (free == nullptr || total == nullptr) return cudaErrorInvalidValue;
  const MemoryInfo info = memory_info(current_device());
  *free = info.free_bytes;
  *total = info.total_bytes;
  return cudaSuccess;
}

RUNTIME_CALL(cudaPointerGetAttributes, v4000, (cudaPointerAttributes * attributes, const void* ptr),
             (attributes, ptr)) {
  if (attributes == nullptr) return cudaErrorInvalidValue;
  const auto allocation = find_allocation(ptr);
  const MemoryKind kind = allocation ? allocation->kind : MemoryKind::Pageable;
  void* const address = const_cast<void*>(ptr);
  attributes->type = type_of(kind);
  attributes->device = allocation ? allocation->device : cudaInvalidDeviceId;
  attributes->devicePointer = allocation ? address : nullptr;
  attributes->hostPointer = kind == MemoryKind::Device ? nullptr : address;
#if SIMGPU_CUDART_MAJOR >= 13
  for (long& reserved : attributes->reserved) reserved = 0;
#endif
  return cudaSuccess;
}

}  // namespace simgpu
