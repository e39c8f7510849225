// Allocation, and attributes of addresses.
#include "simgpu/engine/memory.h"

#include "simgpu/cuda/contexts.h"
#include "simgpu/cuda/device_address.h"
#include "simgpu/cuda/driver_call.h"
#include "simgpu/engine/device.h"
#include "simgpu/engine/virtual_memory.h"

namespace simgpu {
namespace {

CUresult free_memory(void* address, bool is_host) {
  const auto allocation = find_allocation(address);
  if (!allocation || allocation->base != address || (allocation->kind == MemoryKind::Pinned) != is_host) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  const cudaError_t waited = synchronize_device(allocation->device);
  if (waited != cudaSuccess) return driver_result(waited);
  return driver_result(is_host ? free_pinned(address) : free_device(address));
}

CUmemorytype type_of(MemoryKind kind) { return kind == MemoryKind::Pinned ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE; }

CUresult tell_attribute(void* out, CUpointer_attribute attribute, const Allocation& allocation, CUdeviceptr address) {
  switch (attribute) {
    case CU_POINTER_ATTRIBUTE_CONTEXT:
      *static_cast<CUcontext*>(out) = context_on(allocation.device);
      return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
      *static_cast<CUmemorytype*>(out) = type_of(allocation.kind);
      return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
      *static_cast<CUdeviceptr*>(out) = address;
      return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_HOST_POINTER:
      if (allocation.kind == MemoryKind::Device) return CUDA_ERROR_INVALID_VALUE;
      *static_cast<void**>(out) = pointer(address);
      return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_BUFFER_ID:
      *static_cast<unsigned long long*>(out) = allocation.id;
      return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_IS_MANAGED:
      *static_cast<unsigned*>(out) = allocation.kind == MemoryKind::Managed;
      return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
      *static_cast<int*>(out) = allocation.device;
      return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
      *static_cast<void**>(out) = allocation.base;
      return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
      *static_cast<std::size_t*>(out) = allocation.bytes;
      return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_MAPPED:
      *static_cast<unsigned*>(out) = 1;
      return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE:
    case CU_POINTER_ATTRIBUTE_SYNC_MEMOPS:
    case CU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE:
      *static_cast<unsigned*>(out) = 0;
      return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES:
      *static_cast<unsigned long long*>(out) = 0;
      return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE:
      *static_cast<CUmemoryPool*>(out) = reinterpret_cast<CUmemoryPool>(allocation.pool);
      return CUDA_SUCCESS;
    default:
      return CUDA_ERROR_INVALID_VALUE;
  }
}

}  // namespace

DRIVER_CALL(cuMemGetInfo_v2, (std::size_t * free, std::size_t* total), (free, total)) {
  if (free == nullptr || total == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const MemoryInfo info = memory_info(current_device());
  *free = info.free_bytes;
  *total = info.total_bytes;
  return CUDA_SUCCESS;
}

DRIVER_CALL(cuMemAlloc_v2, (CUdeviceptr * dptr, std::size_t bytesize), (dptr, bytesize)) {
  if (dptr == nullptr || bytesize == 0) return CUDA_ERROR_INVALID_VALUE;
  const cudaError_t unsafe = check_unsafe_call();
  if (unsafe != cudaSuccess) return driver_result(unsafe);
  void* memory = nullptr;
  const cudaError_t error = allocate_device(current_device(), bytesize, &memory);
  *dptr = address_of(memory);
  return driver_result(error);
}

DRIVER_CALL(cuMemFree_v2, (CUdeviceptr dptr), (dptr)) { return free_memory(pointer(dptr), false); }

DRIVER_CALL(cuMemAllocHost_v2, (void** pp, std::size_t bytesize), (pp, bytesize)) {
  return pp == nullptr ? CUDA_ERROR_INVALID_VALUE : driver_result(allocate_pinned(current_device(), bytesize, 0, pp));
}

DRIVER_CALL(cuMemHostAlloc, (void** pp, std::size_t bytesize, unsigned Flags), (pp, bytesize, Flags)) {
  constexpr unsigned kKnown = CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_DEVICEMAP | CU_MEMHOSTALLOC_WRITECOMBINED;
  if (pp == nullptr || (Flags & ~kKnown) != 0) return CUDA_ERROR_INVALID_VALUE;
  return driver_result(allocate_pinned(current_device(), bytesize, Flags, pp));
}

DRIVER_CALL(cuMemFreeHost, (void* p), (p)) { return free_memory(p, true); }

DRIVER_CALL(cuMemAllocManaged, (CUdeviceptr * dptr, std::size_t bytesize, unsigned flags), (dptr, bytesize, flags)) {
  if (dptr == nullptr || (flags != CU_MEM_ATTACH_GLOBAL && flags != CU_MEM_ATTACH_HOST))
    return CUDA_ERROR_INVALID_VALUE;
  void* memory = nullptr;
  const cudaError_t error = allocate_managed(current_device(), bytesize, &memory);
  *dptr = address_of(memory);
  return driver_result(error);
}

DRIVER_CALL(cuMemGetAddressRange_v2, (CUdeviceptr * pbase, std::size_t* psize, CUdeviceptr dptr),
            (pbase, psize, dptr)) {
  const auto allocation = find_allocation(pointer(dptr));
  if (!allocation) return CUDA_ERROR_NOT_FOUND;
  if (pbase != nullptr) *pbase = address_of(allocation->base);
  if (psize != nullptr) *psize = allocation->bytes;
  return CUDA_SUCCESS;
}

DRIVER_CALL(cuMemHostGetDevicePointer_v2, (CUdeviceptr * pdptr, void* p, unsigned Flags), (pdptr, p, Flags)) {
  if (pdptr == nullptr || Flags != 0 || memory_kind(p) != MemoryKind::Pinned) return CUDA_ERROR_INVALID_VALUE;
  *pdptr = address_of(p);
  return CUDA_SUCCESS;
}

DRIVER_QUERY(cuPointerGetAttribute, (void* data, CUpointer_attribute attribute, CUdeviceptr ptr),
             (data, attribute, ptr)) {
  const auto allocation = find_allocation(pointer(ptr));
  if (data == nullptr || !allocation) return CUDA_ERROR_INVALID_VALUE;
  return tell_attribute(data, attribute, *allocation, ptr);
}

// "If ptr was not allocated by the driver … the attribute will be assigned NULL", and the call succeeds.
DRIVER_QUERY(cuPointerGetAttributes,
             (unsigned numAttributes, CUpointer_attribute* attributes, void** data, CUdeviceptr ptr),
             (numAttributes, attributes, data, ptr)) {
  if (attributes == nullptr || data == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const auto allocation = find_allocation(pointer(ptr));
  for (unsigned i = 0; i < numAttributes; ++i) {
    if (allocation) {
      tell_attribute(data[i], attributes[i], *allocation, ptr);
    } else if (attributes[i] == CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL) {
      *static_cast<int*>(data[i]) = CU_DEVICE_INVALID;
    } else if (attributes[i] == CU_POINTER_ATTRIBUTE_MEMORY_TYPE || attributes[i] == CU_POINTER_ATTRIBUTE_IS_MANAGED ||
               attributes[i] == CU_POINTER_ATTRIBUTE_MAPPED) {
      *static_cast<unsigned*>(data[i]) = 0;
    } else {
      *static_cast<void**>(data[i]) = nullptr;
    }
  }
  return CUDA_SUCCESS;
}

}  // namespace simgpu
