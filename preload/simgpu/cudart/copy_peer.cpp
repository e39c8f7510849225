// Copies between devices, and which devices may reach each other's memory.
//
// cudaMemcpyPeer does not wait on the host, but "is serialized with respect to all pending and future asynchronous work
// into the current device, srcDevice, and dstDevice": the copy waits for the default streams of the three devices, and
// they wait for the copy.
#include <mutex>
#include <set>
#include <utility>

#include "simgpu/cudart/runtime_call.h"
#include "simgpu/cudart/volume_copy.h"
#include "simgpu/engine/copy.h"
#include "simgpu/engine/device.h"
#include "simgpu/engine/device_scope.h"

namespace simgpu {
namespace {

struct PeerAccess {
  std::mutex mutex;
  std::set<std::pair<int, int>> enabled;  // (device, peer)
};

PeerAccess& peer_access() {
  static auto* const instance = new PeerAccess;
  return *instance;
}

StreamRef default_stream_of(int device) {
  const DeviceScope scope(device);
  return find_stream(nullptr, DefaultStream::Legacy);
}

cudaError_t copy_between_devices(const Copy& copy, int destination_device, int source_device) {
  if (!is_device(destination_device) || !is_device(source_device)) return cudaErrorInvalidDevice;
  const int current = current_device();
  const StreamRef own = default_stream_of(current);
  const std::set<int> involved = {destination_device, source_device};
  for (const int device : involved) {
    if (device == current) continue;
    const cudaError_t error = wait_stream(own, default_stream_of(device));
    if (error != cudaSuccess) return error;
  }
  const cudaError_t error = submit_copy(copy, {nullptr, DefaultStream::Legacy, true});
  if (error != cudaSuccess) return error;
  for (const int device : involved) {
    if (device == current) continue;
    const cudaError_t ordered = wait_stream(default_stream_of(device), own);
    if (ordered != cudaSuccess) return ordered;
  }
  return cudaSuccess;
}

cudaError_t volume_between_devices(const cudaMemcpy3DPeerParms* p, Copy* out) {
  if (p == nullptr) return cudaErrorInvalidValue;
  if (!is_device(p->srcDevice) || !is_device(p->dstDevice)) return cudaErrorInvalidDevice;
  cudaMemcpy3DParms parameters = {};
  parameters.srcArray = p->srcArray;
  parameters.srcPos = p->srcPos;
  parameters.srcPtr = p->srcPtr;
  parameters.dstArray = p->dstArray;
  parameters.dstPos = p->dstPos;
  parameters.dstPtr = p->dstPtr;
  parameters.extent = p->extent;
  parameters.kind = cudaMemcpyDeviceToDevice;
  return volume_copy(&parameters, out);
}

}  // namespace

RUNTIME_CALL(cudaMemcpyPeer, v4000, (void* dst, int dstDevice, const void* src, int srcDevice, std::size_t count),
             (dst, dstDevice, src, srcDevice, count)) {
  const cudaError_t error = check_unsafe_call();
  if (error != cudaSuccess) return error;
  return copy_between_devices(flat_copy(dst, src, count, cudaMemcpyDeviceToDevice), dstDevice, srcDevice);
}

RUNTIME_CALL(cudaMemcpyPeerAsync, v4000,
             (void* dst, int dstDevice, const void* src, int srcDevice, std::size_t count, cudaStream_t stream),
             (dst, dstDevice, src, srcDevice, count, stream)) {
  if (!is_device(dstDevice) || !is_device(srcDevice)) return cudaErrorInvalidDevice;
  return submit_copy(flat_copy(dst, src, count, cudaMemcpyDeviceToDevice), {stream, DefaultStream::Legacy, true});
}

RUNTIME_TWINS(cudaMemcpy3DPeer, _ptds, v4000, v7000, (const cudaMemcpy3DPeerParms* p), (p)) {
  Copy copy;
  cudaError_t error = volume_between_devices(p, &copy);
  if (error == cudaSuccess) error = check_unsafe_call();
  return error != cudaSuccess ? error : copy_between_devices(copy, p->dstDevice, p->srcDevice);
}

RUNTIME_TWINS(cudaMemcpy3DPeerAsync, _ptsz, v4000, v7000, (const cudaMemcpy3DPeerParms* p, cudaStream_t stream),
              (p, stream)) {
  Copy copy;
  const cudaError_t error = volume_between_devices(p, &copy);
  return error != cudaSuccess ? error : submit_copy(copy, {stream, default_stream, true});
}

RUNTIME_QUERY(cudaDeviceCanAccessPeer, v4000, (int* canAccessPeer, int device, int peerDevice),
              (canAccessPeer, device, peerDevice)) {
  if (canAccessPeer == nullptr) return cudaErrorInvalidValue;
  if (!is_device(device) || !is_device(peerDevice)) return cudaErrorInvalidDevice;
  *canAccessPeer = device != peerDevice;
  return cudaSuccess;
}

RUNTIME_CALL(cudaDeviceEnablePeerAccess, v4000, (int peerDevice, unsigned flags), (peerDevice, flags)) {
  if (!is_device(peerDevice) || peerDevice == current_device()) return cudaErrorInvalidDevice;
  if (flags != 0) return cudaErrorInvalidValue;
  const std::lock_guard lock(peer_access().mutex);
  const bool is_new = peer_access().enabled.emplace(current_device(), peerDevice).second;
  return is_new ? cudaSuccess : cudaErrorPeerAccessAlreadyEnabled;
}

RUNTIME_CALL(cudaDeviceDisablePeerAccess, v4000, (int peerDevice), (peerDevice)) {
  if (!is_device(peerDevice)) return cudaErrorInvalidDevice;
  const std::lock_guard lock(peer_access().mutex);
  const bool was_enabled = peer_access().enabled.erase({current_device(), peerDevice}) > 0;
  return was_enabled ? cudaSuccess : cudaErrorPeerAccessNotEnabled;
}

RUNTIME_QUERY(cudaDeviceGetP2PAttribute, v8000, (int* value, cudaDeviceP2PAttr attr, int srcDevice, int dstDevice),
              (value, attr, srcDevice, dstDevice)) {
  if (value == nullptr) return cudaErrorInvalidValue;
  if (!is_device(srcDevice) || !is_device(dstDevice) || srcDevice == dstDevice) return cudaErrorInvalidDevice;
  switch (attr) {
    case cudaDevP2PAttrPerformanceRank:
    case cudaDevP2PAttrCudaArrayAccessSupported:
      *value = 0;
      return cudaSuccess;
    case cudaDevP2PAttrAccessSupported:
    case cudaDevP2PAttrNativeAtomicSupported:
      *value = 1;
      return cudaSuccess;
    default:
      return cudaErrorInvalidValue;
  }
}

}  // namespace simgpu
