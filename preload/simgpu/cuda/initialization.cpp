// cuInit, versions, and the errors that refuse a call.
#include "simgpu/cuda/driver_call.h"
#include "simgpu/engine/device.h"

namespace simgpu {
namespace {

constexpr int kDriverVersion = 13020;  // that of the newest client known to run

}  // namespace

CUresult obstacle(Needs needs) {
  if (needs == Needs::Nothing) return CUDA_SUCCESS;
  if (device_count() == 0) return CUDA_ERROR_NO_DEVICE;
  if (!is_driver_initialized()) return CUDA_ERROR_NOT_INITIALIZED;
  return needs == Needs::Device ? driver_result(device_error(current_device())) : CUDA_SUCCESS;
}

DRIVER_CALL_NEEDING(Needs::Nothing, cuInit, (unsigned Flags), (Flags)) {
  if (Flags != 0) return CUDA_ERROR_INVALID_VALUE;
  if (device_count() == 0) return CUDA_ERROR_NO_DEVICE;
  initialize_driver();
  return CUDA_SUCCESS;
}

DRIVER_CALL_NEEDING(Needs::Nothing, cuDriverGetVersion, (int* driverVersion), (driverVersion)) {
  if (driverVersion == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *driverVersion = kDriverVersion;
  return CUDA_SUCCESS;
}

// The driver logs what it has to say beyond a result: nothing.
DRIVER_CALL_NEEDING(Needs::Nothing, cuLogsRegisterCallback,
                    (CUlogsCallback callbackFunc, void* userData, CUlogsCallbackHandle* callback_out),
                    (callbackFunc, userData, callback_out)) {
  if (callbackFunc == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (callback_out != nullptr) *callback_out = static_cast<CUlogsCallbackHandle>(userData);
  return CUDA_SUCCESS;
}

DRIVER_CALL_NEEDING(Needs::Nothing, cuLogsUnregisterCallback, (CUlogsCallbackHandle callback), (callback)) {
  static_cast<void>(callback);
  return CUDA_SUCCESS;
}

}  // namespace simgpu
