// The handles that cublasLt accepts: its own and, as documented, those of cuBLAS.
#pragma once

#include <cublas_api.h>

#include <optional>

#include "simgpu/engine/visibility.h"

// libcublas calls these when it makes or destroys a handle. The real libraries share functions of these names, with
// unpublished parameters.
extern "C" {
SIMGPU_API cublasStatus_t cublasLtCtxInit(const void* handle, int device);
SIMGPU_API cublasStatus_t cublasLtShutdownCtx(const void* handle);
}

namespace simgpu {

// The device of a valid handle.
std::optional<int> lt_handle_device(const void* handle);

}  // namespace simgpu
