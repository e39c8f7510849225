#include "simgpu/cublas/handle.h"

#include "simgpu/cublas/library_version.h"
#include "simgpu/cublas/lt_handle.h"
#include "simgpu/engine/device.h"
#include "simgpu/engine/handle_table.h"
#include "simgpu/engine/memory.h"

namespace simgpu {
namespace {

constexpr std::uintptr_t kHandleBase = 0x5b1a0000000;
// As documented: 32 MiB on Hopper and later, 4 MiB elsewhere.
constexpr std::size_t kHopperWorkspace = 32u << 20;
constexpr std::size_t kOtherWorkspace = 4u << 20;

struct Handles {
  std::mutex mutex;
  HandleTable<Handle> table{kHandleBase};
};

Handles& handles() {
  static auto* the_handles = new Handles;  // outlives the program's destructors
  return *the_handles;
}

std::size_t own_workspace_bytes() { return device_profile().major >= 9 ? kHopperWorkspace : kOtherWorkspace; }

}  // namespace

std::shared_ptr<Handle> find_handle(cublasHandle_t handle) {
  const std::lock_guard lock(handles().mutex);
  return handles().table.find(handle);
}

cublasStatus_t create_handle(cublasHandle_t* out) {
  if (!out) return CUBLAS_STATUS_INVALID_VALUE;
  if (is_forked_child() || device_count() == 0) return CUBLAS_STATUS_NOT_INITIALIZED;
  auto handle = std::make_shared<Handle>();
  handle->device = current_device();
  if (device_error(handle->device) != cudaSuccess) return CUBLAS_STATUS_NOT_INITIALIZED;
  const auto error = allocate_device(handle->device, own_workspace_bytes(), &handle->own_workspace);
  if (error != cudaSuccess) return CUBLAS_STATUS_ALLOC_FAILED;
  use_own_workspace(handle.get());
  {
    const std::lock_guard lock(handles().mutex);
    handle->self = handles().table.insert<cublasHandle_t>(handle);
  }
  *out = handle->self;
  return cublasLtCtxInit(handle->self, handle->device);
}

// As documented, releasing the handle's resources waits for the device.
cublasStatus_t destroy_handle(cublasHandle_t handle) {
  std::shared_ptr<Handle> removed;
  {
    const std::lock_guard lock(handles().mutex);
    removed = handles().table.find(handle);
    if (!removed) return CUBLAS_STATUS_NOT_INITIALIZED;
    cublasLtShutdownCtx(handle);
    handles().table.remove(handle);
  }
  const auto error = synchronize_device(removed->device);
  free_device(removed->own_workspace);
  return status_of(error);
}

void use_own_workspace(Handle* handle) {
  handle->workspace = handle->own_workspace;
  handle->workspace_bytes = own_workspace_bytes();
}

cublasStatus_t launch_reduction(const KernelPlan& plan, const Handle& handle, std::uint64_t result_bytes) {
  const auto status = launch(plan, handle);
  if (status != CUBLAS_STATUS_SUCCESS || handle.pointer_mode == CUBLAS_POINTER_MODE_DEVICE) return status;
  SpanDescription copy;
  copy.kind = SpanKind::Memcpy;
  copy.direction = CopyDirection::DeviceToHost;
  copy.destination = MemoryKind::Pinned;
  copy.is_async = true;
  copy.bytes = result_bytes;
  const auto copied = copy_on_stream(copy, handle.device, handle.stream, nullptr);
  return copied == CUBLAS_STATUS_SUCCESS ? wait_for_stream(handle.device, handle.stream) : copied;
}

}  // namespace simgpu

using namespace simgpu;

SIMGPU_API cublasStatus_t cublasCreate_v2(cublasHandle_t* handle) {
  static const ApiFunction function{"cublasCreate_v2", ApiDomain::Library};
  ApiCall call(function);
  return call.leave(create_handle(handle));
}

SIMGPU_API cublasStatus_t cublasDestroy_v2(cublasHandle_t handle) {
  static const ApiFunction function{"cublasDestroy_v2", ApiDomain::Library};
  ApiCall call(function);
  return call.leave(destroy_handle(handle));
}

// No handle is needed.
SIMGPU_API cublasStatus_t cublasGetVersion_v2(cublasHandle_t, int* version) {
  static const ApiFunction function{"cublasGetVersion_v2", ApiDomain::Library};
  ApiCall call(function);
  if (!version) return call.leave(CUBLAS_STATUS_INVALID_VALUE);
  *version = library_version();
  return call.leave(CUBLAS_STATUS_SUCCESS);
}

// As documented, setting the stream returns to the library's own workspace.
SIMGPU_API cublasStatus_t cublasSetStream_v2(cublasHandle_t handle, cudaStream_t stream) {
  static const ApiFunction function{"cublasSetStream_v2", ApiDomain::Library};
  return enter(function, handle, [&](Handle& state) {
    state.stream = stream;
    use_own_workspace(&state);
    return CUBLAS_STATUS_SUCCESS;
  });
}

SIMGPU_API cublasStatus_t cublasSetWorkspace_v2(cublasHandle_t handle, void* workspace, size_t bytes) {
  static const ApiFunction function{"cublasSetWorkspace_v2", ApiDomain::Library};
  return enter(function, handle, [&](Handle& state) {
    constexpr std::uintptr_t kAlignment = 256;
    if (reinterpret_cast<std::uintptr_t>(workspace) % kAlignment != 0) return CUBLAS_STATUS_INVALID_VALUE;
    if (!workspace && bytes > 0) return CUBLAS_STATUS_INVALID_VALUE;
    state.workspace = workspace;
    state.workspace_bytes = bytes;
    return CUBLAS_STATUS_SUCCESS;
  });
}

// A setting that can be read back.
#define SIMGPU_SETTING(setter, getter, Type, member, valid)              \
  SIMGPU_API cublasStatus_t setter(cublasHandle_t handle, Type value) {  \
    static const ApiFunction function{#setter, ApiDomain::Library};      \
    return enter(function, handle, [&](Handle& state) {                  \
      if (!(valid)) return CUBLAS_STATUS_INVALID_VALUE;                  \
      state.member = value;                                              \
      return CUBLAS_STATUS_SUCCESS;                                      \
    });                                                                  \
  }                                                                      \
  SIMGPU_API cublasStatus_t getter(cublasHandle_t handle, Type* value) { \
    static const ApiFunction function{#getter, ApiDomain::Library};      \
    return enter(function, handle, [&](Handle& state) {                  \
      if (!value) return CUBLAS_STATUS_INVALID_VALUE;                    \
      *value = state.member;                                             \
      return CUBLAS_STATUS_SUCCESS;                                      \
    });                                                                  \
  }

SIMGPU_SETTING(cublasSetPointerMode_v2, cublasGetPointerMode_v2, cublasPointerMode_t, pointer_mode,
               value == CUBLAS_POINTER_MODE_HOST || value == CUBLAS_POINTER_MODE_DEVICE)
SIMGPU_SETTING(cublasSetAtomicsMode, cublasGetAtomicsMode, cublasAtomicsMode_t, atomics_mode,
               value == CUBLAS_ATOMICS_NOT_ALLOWED || value == CUBLAS_ATOMICS_ALLOWED)
SIMGPU_SETTING(cublasSetMathMode, cublasGetMathMode, cublasMath_t, math_mode,
               value >= 0 &&
                   (value & ~CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION) <= CUBLAS_FP64_EMULATED_FIXEDPOINT_MATH)
SIMGPU_SETTING(cublasSetSmCountTarget, cublasGetSmCountTarget, int, sm_count_target,
               value >= 0 && value <= device_profile().sm_count)

SIMGPU_API cublasStatus_t cublasGetStream_v2(cublasHandle_t handle, cudaStream_t* stream) {
  static const ApiFunction function{"cublasGetStream_v2", ApiDomain::Library};
  return enter(function, handle, [&](Handle& state) {
    if (!stream) return CUBLAS_STATUS_INVALID_VALUE;
    *stream = state.stream;
    return CUBLAS_STATUS_SUCCESS;
  });
}

SIMGPU_API cublasStatus_t cublasGetProperty(libraryPropertyType type, int* value) {
  return library_property(type, value);
}

SIMGPU_API size_t cublasGetCudartVersion(void) { return static_cast<size_t>(runtime_version()); }

SIMGPU_API const char* cublasGetStatusName(cublasStatus_t status) { return status_name(status); }

SIMGPU_API const char* cublasGetStatusString(cublasStatus_t status) { return status_text(status); }

// There is nothing to log.
SIMGPU_API cublasStatus_t cublasLoggerConfigure(int, int, int, const char*) { return CUBLAS_STATUS_SUCCESS; }
