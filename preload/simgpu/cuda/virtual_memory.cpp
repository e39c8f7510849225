// Reserved addresses and the memory that is mapped into them.
#include "simgpu/engine/virtual_memory.h"

#include "simgpu/cuda/device_address.h"
#include "simgpu/cuda/driver_call.h"
#include "simgpu/engine/device.h"

namespace simgpu {
namespace {

// Accepts memory of a device. A program may ask for memory that is exportable as a file (PyTorch always does), but
// exporting is refused.
CUresult check_properties(const CUmemAllocationProp* wanted) {
  if (wanted == nullptr || wanted->type != CU_MEM_ALLOCATION_TYPE_PINNED) return CUDA_ERROR_INVALID_VALUE;
  if (wanted->location.type != CU_MEM_LOCATION_TYPE_DEVICE) return CUDA_ERROR_NOT_SUPPORTED;
  const int handles = static_cast<int>(wanted->requestedHandleTypes);
  if ((handles & ~CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR) != 0) return CUDA_ERROR_NOT_SUPPORTED;
  const bool is_known = wanted->location.id >= 0 && wanted->location.id < device_count();
  return is_known ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

PieceAccess access_of(CUmemAccess_flags flags) {
  if (flags == CU_MEM_ACCESS_FLAGS_PROT_READWRITE) return PieceAccess::ReadWrite;
  return flags == CU_MEM_ACCESS_FLAGS_PROT_READ ? PieceAccess::Read : PieceAccess::None;
}

}  // namespace

DRIVER_CALL(cuMemGetAllocationGranularity,
            (std::size_t * granularity, const CUmemAllocationProp* prop,
             [[maybe_unused]] CUmemAllocationGranularity_flags option),
            (granularity, prop, option)) {
  if (granularity == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const CUresult error = check_properties(prop);
  if (error == CUDA_SUCCESS) *granularity = kPieceGranularity;
  return error;
}

DRIVER_CALL(cuMemAddressReserve,
            (CUdeviceptr * ptr, std::size_t size, std::size_t alignment, [[maybe_unused]] CUdeviceptr addr,  // a hint
             unsigned long long flags),
            (ptr, size, alignment, addr, flags)) {
  if (ptr == nullptr || flags != 0) return CUDA_ERROR_INVALID_VALUE;
  void* base = nullptr;
  const cudaError_t error = reserve_addresses(size, alignment, &base);
  if (error == cudaSuccess) *ptr = reinterpret_cast<CUdeviceptr>(base);
  return driver_result(error);
}

DRIVER_CALL(cuMemAddressFree, (CUdeviceptr ptr, std::size_t size), (ptr, size)) {
  return driver_result(free_addresses(pointer(ptr), size));
}

DRIVER_CALL(cuMemCreate,
            (CUmemGenericAllocationHandle * handle, std::size_t size, const CUmemAllocationProp* prop,
             unsigned long long flags),
            (handle, size, prop, flags)) {
  if (handle == nullptr || flags != 0) return CUDA_ERROR_INVALID_VALUE;
  const CUresult error = check_properties(prop);
  if (error != CUDA_SUCCESS) return error;
  std::uint64_t piece = 0;
  const cudaError_t created = create_piece(prop->location.id, size, &piece);
  if (created == cudaSuccess) *handle = piece;
  return driver_result(created);
}

DRIVER_CALL(cuMemRelease, (CUmemGenericAllocationHandle handle), (handle)) {
  return driver_result(release_piece(handle));
}

DRIVER_CALL(cuMemMap,
            (CUdeviceptr ptr, std::size_t size, std::size_t offset, CUmemGenericAllocationHandle handle,
             unsigned long long flags),
            (ptr, size, offset, handle, flags)) {
  if (offset != 0 || flags != 0) return CUDA_ERROR_INVALID_VALUE;  // "offset … must be zero", "flags … must be zero"
  return driver_result(map_piece(pointer(ptr), size, handle));
}

// Does not wait for pending work that uses the memory: on a real device it would fault, so the program must wait.
DRIVER_CALL(cuMemUnmap, (CUdeviceptr ptr, std::size_t size), (ptr, size)) {
  return driver_result(unmap_pieces(pointer(ptr), size));
}

// The host's pages have one access: the widest that any device gets.
DRIVER_CALL(cuMemSetAccess, (CUdeviceptr ptr, std::size_t size, const CUmemAccessDesc* desc, std::size_t count),
            (ptr, size, desc, count)) {
  if (desc == nullptr || count == 0) return CUDA_ERROR_INVALID_VALUE;
  PieceAccess widest = PieceAccess::None;
  for (std::size_t i = 0; i < count; ++i) {
    if (desc[i].location.type != CU_MEM_LOCATION_TYPE_DEVICE) return CUDA_ERROR_NOT_SUPPORTED;
    if (access_of(desc[i].flags) > widest) widest = access_of(desc[i].flags);
  }
  return driver_result(set_piece_access(pointer(ptr), size, widest));
}

DRIVER_CALL(cuMemRetainAllocationHandle, (CUmemGenericAllocationHandle * handle, void* addr), (handle, addr)) {
  std::uint64_t piece = 0;
  const cudaError_t error = retain_piece(addr, &piece);
  if (error == cudaSuccess && handle != nullptr) *handle = piece;
  return driver_result(handle == nullptr ? cudaErrorInvalidValue : error);
}

DRIVER_CALL(cuMemGetAllocationPropertiesFromHandle, (CUmemAllocationProp * prop, CUmemGenericAllocationHandle handle),
            (prop, handle)) {
  const auto device = piece_device(handle);
  if (prop == nullptr || !device) return CUDA_ERROR_INVALID_VALUE;
  *prop = {};
  prop->type = CU_MEM_ALLOCATION_TYPE_PINNED;
  prop->location = {CU_MEM_LOCATION_TYPE_DEVICE, *device};
  return CUDA_SUCCESS;
}

}  // namespace simgpu
