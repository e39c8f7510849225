// Stream-ordered allocation. Memory is allocated during the call and freed when the stream reaches the free. Memory
// allocated on a captured stream is kept, so that the graph can be launched repeatedly.
#include <cstring>
#include <map>
#include <mutex>
#include <set>

#include "simgpu/cudart/runtime_call.h"
#include "simgpu/engine/device.h"
#include "simgpu/engine/memory.h"

namespace simgpu {
namespace {

struct Pools {
  std::mutex mutex;
  std::map<int, cudaMemPool_t> current;  // of the devices that were given one
  std::set<void*> freeing;               // freed by a call, not yet by the stream
};

Pools& pools() {
  static auto* const instance = new Pools;
  return *instance;
}

cudaMemPool_t current_pool(int device) {
  const std::lock_guard lock(pools().mutex);
  const auto found = pools().current.find(device);
  return found != pools().current.end() && pool_device(found->second) ? found->second : default_pool(device);
}

cudaError_t use_pool(int device, cudaMemPool_t pool) {
  if (pool_device(pool) != device) return cudaErrorInvalidValue;
  const std::lock_guard lock(pools().mutex);
  pools().current[device] = pool;
  return cudaSuccess;
}

cudaError_t allocate_from(cudaMemPool_t pool, void** out, std::size_t bytes, const StreamRef& stream) {
  if (out == nullptr) return cudaErrorInvalidValue;
  if (stream == nullptr) return cudaErrorInvalidResourceHandle;
  const auto device = pool_device(pool);
  if (!device) return cudaErrorInvalidValue;
  const cudaError_t error = allocate_device(*device, bytes, out, pool);
  return error != cudaSuccess ? error : submit(stream, {});
}

void free_now(void* address) {
  free_device(address);
  const std::lock_guard lock(pools().mutex);
  pools().freeing.erase(address);
}

cudaError_t free_in_order(void* address, const StreamRef& stream) {
  if (stream == nullptr) return cudaErrorInvalidResourceHandle;
  const auto allocation = find_allocation(address);
  if (!allocation || allocation->base != address || allocation->kind != MemoryKind::Device) {
    return cudaErrorInvalidValue;
  }
  if (is_capturing(stream)) return submit(stream, {});
  {
    const std::lock_guard lock(pools().mutex);
    if (!pools().freeing.insert(address).second) return cudaErrorInvalidValue;
  }
  OperationRequest request;
  request.effect = [address] { free_now(address); };
  const cudaError_t error = submit(stream, std::move(request));
  if (error != cudaSuccess) {
    const std::lock_guard lock(pools().mutex);
    pools().freeing.erase(address);
  }
  return error;
}

}  // namespace

RUNTIME_TWINS(cudaMallocAsync, _ptsz, v11020, v11020, (void** devPtr, std::size_t size, cudaStream_t hStream),
              (devPtr, size, hStream)) {
  const StreamRef stream = find_stream(hStream, default_stream);
  if (stream == nullptr) return cudaErrorInvalidResourceHandle;
  return allocate_from(current_pool(stream_traits(*stream).device), devPtr, size, stream);
}

RUNTIME_TWINS(cudaMallocFromPoolAsync, _ptsz, v11020, v11020,
              (void** ptr, std::size_t size, cudaMemPool_t memPool, cudaStream_t stream),
              (ptr, size, memPool, stream)) {
  return allocate_from(memPool, ptr, size, find_stream(stream, default_stream));
}

RUNTIME_TWINS(cudaFreeAsync, _ptsz, v11020, v11020, (void* devPtr, cudaStream_t hStream), (devPtr, hStream)) {
  return devPtr == nullptr ? cudaSuccess : free_in_order(devPtr, find_stream(hStream, default_stream));
}

RUNTIME_CALL(cudaDeviceGetDefaultMemPool, v11020, (cudaMemPool_t * memPool, int device), (memPool, device)) {
  if (memPool == nullptr) return cudaErrorInvalidValue;
  if (!is_device(device)) return cudaErrorInvalidDevice;
  *memPool = default_pool(device);
  return cudaSuccess;
}

RUNTIME_CALL(cudaDeviceGetMemPool, v11020, (cudaMemPool_t * memPool, int device), (memPool, device)) {
  if (memPool == nullptr) return cudaErrorInvalidValue;
  if (!is_device(device)) return cudaErrorInvalidDevice;
  *memPool = current_pool(device);
  return cudaSuccess;
}

RUNTIME_CALL(cudaDeviceSetMemPool, v11020, (int device, cudaMemPool_t memPool), (device, memPool)) {
  return is_device(device) ? use_pool(device, memPool) : cudaErrorInvalidDevice;
}

RUNTIME_CALL(cudaMemPoolCreate, v11020, (cudaMemPool_t * memPool, const cudaMemPoolProps* poolProps),
             (memPool, poolProps)) {
  if (memPool == nullptr || poolProps == nullptr) return cudaErrorInvalidValue;
  if (poolProps->allocType != cudaMemAllocationTypePinned) return cudaErrorInvalidValue;
  if (poolProps->location.type != cudaMemLocationTypeDevice || poolProps->handleTypes != cudaMemHandleTypeNone) {
    return cudaErrorNotSupported;
  }
  if (!is_device(poolProps->location.id)) return cudaErrorInvalidDevice;
  return create_pool(poolProps->location.id, memPool);
}

RUNTIME_CALL(cudaMemPoolDestroy, v11020, (cudaMemPool_t memPool), (memPool)) { return destroy_pool(memPool); }

RUNTIME_CALL(cudaMemPoolTrimTo, v11020, (cudaMemPool_t memPool, std::size_t minBytesToKeep),
             (memPool, minBytesToKeep)) {
  return trim_pool(memPool, minBytesToKeep);
}

RUNTIME_CALL(cudaMemPoolSetAttribute, v11020, (cudaMemPool_t memPool, cudaMemPoolAttr attr, void* value),
             (memPool, attr, value)) {
  return value == nullptr ? cudaErrorInvalidValue : set_pool_attribute(memPool, attr, value);
}

RUNTIME_CALL(cudaMemPoolGetAttribute, v11020, (cudaMemPool_t memPool, cudaMemPoolAttr attr, void* value),
             (memPool, attr, value)) {
  return value == nullptr ? cudaErrorInvalidValue : pool_attribute(memPool, attr, value);
}

RUNTIME_CALL(cudaMemPoolSetAccess, v11020,
             (cudaMemPool_t memPool, const cudaMemAccessDesc* descList, std::size_t count),
             (memPool, descList, count)) {
  const auto owner = pool_device(memPool);
  if (!owner || (descList == nullptr && count > 0)) return cudaErrorInvalidValue;
  for (std::size_t i = 0; i < count; ++i) {
    if (descList[i].location.type != cudaMemLocationTypeDevice) return cudaErrorInvalidValue;
    if (!is_device(descList[i].location.id)) return cudaErrorInvalidDevice;
    if (descList[i].location.id == *owner && descList[i].flags == cudaMemAccessFlagsProtNone) {
      return cudaErrorInvalidValue;
    }
  }
  return cudaSuccess;
}

RUNTIME_CALL(cudaMemPoolGetAccess, v11020,
             (cudaMemAccessFlags * flags, cudaMemPool_t memPool, cudaMemLocation* location),
             (flags, memPool, location)) {
  if (flags == nullptr || location == nullptr || !pool_device(memPool)) return cudaErrorInvalidValue;
  if (location->type != cudaMemLocationTypeDevice || !is_device(location->id)) return cudaErrorInvalidValue;
  *flags = cudaMemAccessFlagsProtReadWrite;  // every device reaches all memory here
  return cudaSuccess;
}

#if SIMGPU_CUDART_MAJOR >= 13

RUNTIME_CALL(cudaMemGetDefaultMemPool, v13000,
             (cudaMemPool_t * memPool, cudaMemLocation* location, cudaMemAllocationType type),
             (memPool, location, type)) {
  if (memPool == nullptr || location == nullptr) return cudaErrorInvalidValue;
  if (location->type != cudaMemLocationTypeDevice || type != cudaMemAllocationTypePinned) return cudaErrorNotSupported;
  if (!is_device(location->id)) return cudaErrorInvalidValue;
  *memPool = default_pool(location->id);
  return cudaSuccess;
}

RUNTIME_CALL(cudaMemGetMemPool, v13000,
             (cudaMemPool_t * memPool, cudaMemLocation* location, cudaMemAllocationType type),
             (memPool, location, type)) {
  if (memPool == nullptr || location == nullptr) return cudaErrorInvalidValue;
  if (location->type != cudaMemLocationTypeDevice || type != cudaMemAllocationTypePinned) return cudaErrorNotSupported;
  if (!is_device(location->id)) return cudaErrorInvalidValue;
  *memPool = current_pool(location->id);
  return cudaSuccess;
}

RUNTIME_CALL(cudaMemSetMemPool, v13000, (cudaMemLocation * location, cudaMemAllocationType type, cudaMemPool_t memPool),
             (location, type, memPool)) {
  if (location == nullptr) return cudaErrorInvalidValue;
  if (location->type != cudaMemLocationTypeDevice || type != cudaMemAllocationTypePinned) return cudaErrorNotSupported;
  return is_device(location->id) ? use_pool(location->id, memPool) : cudaErrorInvalidValue;
}

#endif

}  // namespace simgpu
