// A thread's last error, and the errors that refuse a call.
#include "simgpu/cudart/runtime_call.h"
#include "simgpu/engine/device.h"

namespace simgpu {
namespace {

thread_local cudaError_t last_error = cudaSuccess;
thread_local int host_function_depth = 0;

// Every call returns the error of a failed device. Other errors are cleared when they are fetched.
cudaError_t current_error() {
  if (is_forked_child()) return last_error;
  const cudaError_t sticky = device_count() > 0 ? device_error(current_device()) : cudaSuccess;
  return sticky != cudaSuccess ? sticky : last_error;
}

}  // namespace

cudaError_t obstacle(Needs needs) {
  initialize_driver();
  if (host_function_depth > 0) return cudaErrorNotPermitted;
  if (needs == Needs::Process) return cudaSuccess;
  if (device_count() == 0) return cudaErrorNoDevice;
  return device_error(current_device());
}

cudaError_t note_error(cudaError_t error) {
  // "Not considered an error", says the programming guide about cudaErrorNotReady.
  if (error != cudaSuccess && error != cudaErrorNotReady) last_error = error;
  return error;
}

HostFunctionScope::HostFunctionScope() { ++host_function_depth; }
HostFunctionScope::~HostFunctionScope() { --host_function_depth; }

extern "C" SIMGPU_API cudaError_t cudaGetLastError() {
  static const ApiFunction function{"cudaGetLastError", ApiDomain::Runtime,
                                    CUPTI_RUNTIME_TRACE_CBID_cudaGetLastError_v3020};
  ApiCall call(function);
  const cudaError_t error = current_error();
  last_error = cudaSuccess;
  return call.leave(error);
}

extern "C" SIMGPU_API cudaError_t cudaPeekAtLastError() {
  static const ApiFunction function{"cudaPeekAtLastError", ApiDomain::Runtime,
                                    CUPTI_RUNTIME_TRACE_CBID_cudaPeekAtLastError_v3020};
  ApiCall call(function);
  return call.leave(current_error());
}

}  // namespace simgpu
