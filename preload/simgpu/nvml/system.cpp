// NVML for the library and the machine: initialization, versions, errors.
#include "simgpu/nvml/state.h"

using namespace simgpu;

namespace {

constexpr const char* kDriverVersion = "595.45.04";
constexpr const char* kNvmlVersion = "13.595.45.04";
constexpr int kCudaDriverVersion = 13020;

nvmlReturn_t give_text_once_initialized(const char* text, char* out, unsigned int length) {
  return is_nvml_initialized() ? give_text(text, out, length) : NVML_ERROR_UNINITIALIZED;
}

}  // namespace

SIMGPU_API nvmlReturn_t nvmlInit_v2(void) {
  enter_nvml();
  return NVML_SUCCESS;
}

SIMGPU_API nvmlReturn_t nvmlInit(void) { return nvmlInit_v2(); }

SIMGPU_API nvmlReturn_t nvmlInitWithFlags(unsigned int) { return nvmlInit_v2(); }

SIMGPU_API nvmlReturn_t nvmlShutdown(void) { return leave_nvml() ? NVML_SUCCESS : NVML_ERROR_UNINITIALIZED; }

SIMGPU_API nvmlReturn_t nvmlSystemGetDriverVersion(char* version, unsigned int length) {
  return give_text_once_initialized(kDriverVersion, version, length);
}

SIMGPU_API nvmlReturn_t nvmlSystemGetNVMLVersion(char* version, unsigned int length) {
  return give_text_once_initialized(kNvmlVersion, version, length);
}

// Documented to work before nvmlInit, too.
SIMGPU_API nvmlReturn_t nvmlSystemGetCudaDriverVersion_v2(int* version) {
  if (!version) return NVML_ERROR_INVALID_ARGUMENT;
  *version = kCudaDriverVersion;
  return NVML_SUCCESS;
}

SIMGPU_API nvmlReturn_t nvmlSystemGetCudaDriverVersion(int* version) {
  return nvmlSystemGetCudaDriverVersion_v2(version);
}

SIMGPU_API const char* nvmlErrorString(nvmlReturn_t result) {
  switch (result) {
    case NVML_SUCCESS:
      return "Success";
    case NVML_ERROR_UNINITIALIZED:
      return "Uninitialized";
    case NVML_ERROR_INVALID_ARGUMENT:
      return "Invalid Argument";
    case NVML_ERROR_NOT_SUPPORTED:
      return "Not Supported";
    case NVML_ERROR_NO_PERMISSION:
      return "Insufficient Permissions";
    case NVML_ERROR_ALREADY_INITIALIZED:
      return "Already Initialized";
    case NVML_ERROR_NOT_FOUND:
      return "Not Found";
    case NVML_ERROR_INSUFFICIENT_SIZE:
      return "Insufficient Size";
    case NVML_ERROR_DRIVER_NOT_LOADED:
      return "Driver Not Loaded";
    case NVML_ERROR_TIMEOUT:
      return "Timeout";
    case NVML_ERROR_LIBRARY_NOT_FOUND:
      return "NVML Shared Library Not Found";
    case NVML_ERROR_FUNCTION_NOT_FOUND:
      return "Function Not Found";
    case NVML_ERROR_GPU_IS_LOST:
      return "GPU is lost";
    case NVML_ERROR_ARGUMENT_VERSION_MISMATCH:
      return "Argument Version Mismatch";
    default:
      return "Unknown Error";
  }
}
