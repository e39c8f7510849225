// Host functions in streams. They run on the callback thread, where CUDA calls are not permitted.
#include "simgpu/cudart/runtime_call.h"
#include "simgpu/engine/device.h"

namespace simgpu {

RUNTIME_TWINS(cudaLaunchHostFunc, _ptsz, v10000, v10000, (cudaStream_t stream, cudaHostFn_t fn, void* userData),
              (stream, fn, userData)) {
  const StreamRef found = find_stream(stream, default_stream);
  if (fn == nullptr) return cudaErrorInvalidValue;
  if (found == nullptr) return cudaErrorInvalidResourceHandle;
  OperationRequest request;
  request.host_function = [fn, userData] {
    const HostFunctionScope scope;
    fn(userData);
  };
  return submit(found, std::move(request));
}

RUNTIME_TWINS(cudaStreamAddCallback, _ptsz, v5000, v7000,
              (cudaStream_t stream, cudaStreamCallback_t callback, void* userData, unsigned flags),
              (stream, callback, userData, flags)) {
  const StreamRef found = find_stream(stream, default_stream);
  if (callback == nullptr || flags != 0) return cudaErrorInvalidValue;
  if (found == nullptr) return cudaErrorInvalidResourceHandle;
  // Forbidden in a capture: the engine returns the error and invalidates the capture.
  if (is_capturing(found)) return synchronize_stream(found);
  const int device = stream_traits(*found).device;
  OperationRequest request;
  request.host_function = [stream, callback, userData, device] {
    const cudaError_t status = device_error(device);
    const HostFunctionScope scope;
    callback(stream, status, userData);
  };
  return submit(found, std::move(request));
}

}  // namespace simgpu
