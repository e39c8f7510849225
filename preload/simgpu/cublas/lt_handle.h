// Which handles cublasLt takes: its own and, as documented, those of cublas.
#pragma once

#include <cublas_api.h>

#include <optional>

#include "simgpu/engine/visibility.h"

// Called by libcublas when it makes or destroys a handle. The real libraries have functions of these names between
// them, with parameters that are not published.
extern "C" {
SIMGPU_API cublasStatus_t cublasLtCtxInit(const void* handle, int device);
SIMGPU_API cublasStatus_t cublasLtShutdownCtx(const void* handle);
}

namespace simgpu {

// The device of a valid handle.
std::optional<int> lt_handle_device(const void* handle);

}  // namespace simgpu
