// Handles, versions, errors.
#include "simgpu/cudnn/handle.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <mutex>
#include <string>

#include "simgpu/engine/device.h"
#include "simgpu/engine/handle_table.h"

namespace simgpu::cudnn {
namespace {

constexpr std::uintptr_t kHandleBase = 0x5d2a0000000;
constexpr int kMajor = 9, kMinor = 26, kPatch = 0;
constexpr int kMaxDeviceVersion = 1210;
constexpr std::size_t kRuntimeVersion = 13020;

struct Handles {
  std::mutex mutex;
  HandleTable<Handle> table{kHandleBase};
};

Handles& handles() {
  static auto* const all = new Handles;  // outlives the program's destructors
  return *all;
}

std::string& last_error() {
  thread_local std::string text;
  return text;
}

Status create(void** out) {
  if (out == nullptr) return kBadParamNullPointer;
  if (is_forked_child() || device_count() == 0) return fail(kNotInitialized, "no device can be used");
  auto handle = std::make_shared<Handle>();
  handle->device = current_device();
  context_of(handle->device);
  if (device_error(handle->device) != cudaSuccess) return fail(kNotInitialized, "the device has failed");
  const std::lock_guard lock(handles().mutex);
  *out = handles().table.insert<void*>(std::move(handle));
  return kSuccess;
}

Status destroy(const void* handle) {
  const std::lock_guard lock(handles().mutex);
  return handles().table.remove(handle) == nullptr ? kBadParam : kSuccess;
}

const char* status_name(Status status) {
  static const std::map<int, const char*> names = {
      {kSuccess, "CUDNN_STATUS_SUCCESS"},
      {kNotInitialized, "CUDNN_STATUS_NOT_INITIALIZED"},
      {kBadParam, "CUDNN_STATUS_BAD_PARAM"},
      {kBadParamNullPointer, "CUDNN_STATUS_BAD_PARAM_NULL_POINTER"},
      {kBadParamNotFinalized, "CUDNN_STATUS_BAD_PARAM_NOT_FINALIZED"},
      {kBadParamSizeInsufficient, "CUDNN_STATUS_BAD_PARAM_SIZE_INSUFFICIENT"},
      {kNotSupported, "CUDNN_STATUS_NOT_SUPPORTED"},
      {kExecutionFailed, "CUDNN_STATUS_EXECUTION_FAILED"},
  };
  const auto found = names.find(status);
  return found == names.end() ? "CUDNN_UNKNOWN_STATUS" : found->second;
}

}  // namespace

std::shared_ptr<Handle> find_handle(const void* handle) {
  const std::lock_guard lock(handles().mutex);
  return handles().table.find(handle);
}

Status status_of(cudaError_t error) {
  return error == cudaSuccess ? kSuccess : fail(kExecutionFailed, "a kernel could not be launched");
}

Status fail(Status status, const char* message) {
  last_error() = message;
  return status;
}

}  // namespace simgpu::cudnn

using namespace simgpu;
using namespace simgpu::cudnn;

extern "C" {

SIMGPU_API Status cudnnCreate(void** handle) {
  CUDNN_FUNCTION(cudnnCreate);
  ApiCall call(function);
  return call.leave(create(handle));
}

SIMGPU_API Status cudnnDestroy(void* handle) {
  CUDNN_FUNCTION(cudnnDestroy);
  ApiCall call(function);
  return call.leave(destroy(handle));
}

SIMGPU_API Status cudnnSetStream(void* handle, cudaStream_t stream) {
  CUDNN_FUNCTION(cudnnSetStream);
  return enter(function, handle, [&](Handle& state) {
    state.stream = stream;
    return kSuccess;
  });
}

SIMGPU_API Status cudnnGetStream(void* handle, cudaStream_t* stream) {
  CUDNN_FUNCTION(cudnnGetStream);
  return enter(function, handle, [&](Handle& state) {
    if (stream == nullptr) return kBadParamNullPointer;
    *stream = state.stream;
    return kSuccess;
  });
}

SIMGPU_API std::size_t cudnnGetVersion() { return kMajor * 10000 + kMinor * 100 + kPatch; }

SIMGPU_API std::size_t cudnnGetMaxDeviceVersion() { return kMaxDeviceVersion; }

SIMGPU_API std::size_t cudnnGetCudartVersion() { return kRuntimeVersion; }

SIMGPU_API Status cudnnGetProperty(libraryPropertyType type, int* value) {
  if (value == nullptr) return kBadParamNullPointer;
  if (type < MAJOR_VERSION || type > PATCH_LEVEL) return kBadParam;
  *value = type == MAJOR_VERSION ? kMajor : type == MINOR_VERSION ? kMinor : kPatch;
  return kSuccess;
}

SIMGPU_API const char* cudnnGetErrorString(Status status) { return status_name(status); }

SIMGPU_API void cudnnGetLastErrorString(char* message, std::size_t max_size) {
  if (message == nullptr || max_size == 0) return;
  const std::size_t length = std::min(last_error().size(), max_size - 1);
  std::memcpy(message, last_error().data(), length);
  message[length] = 0;
}

#define VERSION_CHECK(name) \
  SIMGPU_API Status name() { return kSuccess; }
VERSION_CHECK(cudnnGraphVersionCheck)
VERSION_CHECK(cudnnOpsVersionCheck)
VERSION_CHECK(cudnnCnnVersionCheck)
VERSION_CHECK(cudnnAdvVersionCheck)

}  // extern "C"
