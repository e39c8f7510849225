// Handles, versions and logging of cublasLt.
#include "simgpu/cublas/lt_handle.h"

#include <cublasLt.h>

#include <atomic>
#include <map>
#include <mutex>

#include "simgpu/cublas/kernel_launch.h"
#include "simgpu/cublas/library_version.h"
#include "simgpu/engine/call.h"
#include "simgpu/engine/device.h"
#include "simgpu/engine/handle_table.h"

namespace simgpu {
namespace {

constexpr std::uintptr_t kHandleBase = 0x5b170000000;

struct Handles {
  std::mutex mutex;
  HandleTable<int> own{kHandleBase};  // by device
  std::map<const void*, int> of_cublas;
};

Handles& handles() {
  static auto* the_handles = new Handles;  // outlives the program's destructors
  return *the_handles;
}

cublasStatus_t create(cublasLtHandle_t* out) {
  if (!out) return CUBLAS_STATUS_INVALID_VALUE;
  if (is_forked_child() || device_count() == 0) return CUBLAS_STATUS_NOT_INITIALIZED;
  const int device = current_device();
  if (device_error(device) != cudaSuccess) return CUBLAS_STATUS_NOT_INITIALIZED;
  const std::lock_guard lock(handles().mutex);
  *out = handles().own.insert<cublasLtHandle_t>(std::make_shared<int>(device));
  return CUBLAS_STATUS_SUCCESS;
}

}  // namespace

std::optional<int> lt_handle_device(const void* handle) {
  const std::lock_guard lock(handles().mutex);
  if (const auto own = handles().own.find(handle)) return *own;
  const auto found = handles().of_cublas.find(handle);
  if (found == handles().of_cublas.end()) return std::nullopt;
  return found->second;
}

}  // namespace simgpu

using namespace simgpu;

cublasStatus_t cublasLtCtxInit(const void* handle, int device) {
  const std::lock_guard lock(handles().mutex);
  handles().of_cublas[handle] = device;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtShutdownCtx(const void* handle) {
  const std::lock_guard lock(handles().mutex);
  handles().of_cublas.erase(handle);
  return CUBLAS_STATUS_SUCCESS;
}

SIMGPU_API cublasStatus_t cublasLtCreate(cublasLtHandle_t* handle) {
  static const ApiFunction function{"cublasLtCreate", ApiDomain::Library};
  ApiCall call(function);
  return call.leave(create(handle));
}

SIMGPU_API cublasStatus_t cublasLtDestroy(cublasLtHandle_t handle) {
  static const ApiFunction function{"cublasLtDestroy", ApiDomain::Library};
  ApiCall call(function);
  const std::lock_guard lock(handles().mutex);
  return call.leave(handles().own.remove(handle) ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_NOT_INITIALIZED);
}

SIMGPU_API const char* cublasLtGetStatusName(cublasStatus_t status) { return status_name(status); }

SIMGPU_API const char* cublasLtGetStatusString(cublasStatus_t status) { return status_text(status); }

SIMGPU_API size_t cublasLtGetVersion(void) { return static_cast<size_t>(library_version()); }

SIMGPU_API size_t cublasLtGetCudartVersion(void) { return static_cast<size_t>(runtime_version()); }

SIMGPU_API cublasStatus_t cublasLtGetProperty(libraryPropertyType type, int* value) {
  return library_property(type, value);
}

namespace {
std::atomic<size_t> heuristics_cache_capacity{8192};
}

SIMGPU_API cublasStatus_t cublasLtHeuristicsCacheGetCapacity(size_t* capacity) {
  if (!capacity) return CUBLAS_STATUS_INVALID_VALUE;
  *capacity = heuristics_cache_capacity;
  return CUBLAS_STATUS_SUCCESS;
}

SIMGPU_API cublasStatus_t cublasLtHeuristicsCacheSetCapacity(size_t capacity) {
  heuristics_cache_capacity = capacity;
  return CUBLAS_STATUS_SUCCESS;
}

// These check their arguments as documented; there is nothing to log.
SIMGPU_API cublasStatus_t cublasLtLoggerSetCallback(cublasLtLoggerCallback_t) { return CUBLAS_STATUS_SUCCESS; }

SIMGPU_API cublasStatus_t cublasLtLoggerSetFile(FILE*) { return CUBLAS_STATUS_SUCCESS; }

SIMGPU_API cublasStatus_t cublasLtLoggerOpenFile(const char* path) {
  return path ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_INVALID_VALUE;
}

SIMGPU_API cublasStatus_t cublasLtLoggerSetLevel(int level) {
  return level >= 0 && level <= 5 ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_INVALID_VALUE;
}

SIMGPU_API cublasStatus_t cublasLtLoggerSetMask(int) { return CUBLAS_STATUS_SUCCESS; }

SIMGPU_API cublasStatus_t cublasLtLoggerForceDisable() { return CUBLAS_STATUS_SUCCESS; }
