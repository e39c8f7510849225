// The interface before version 4, which binaries without the _v2 names use: one hidden handle, scalars by value, and no
// status except the last error.
#include <cublas.h>

#include <mutex>
#include <utility>

#include "simgpu/cublas/library_version.h"
#include "simgpu/engine/call.h"
#include "simgpu/engine/device.h"
#include "simgpu/engine/memory.h"

namespace simgpu {
namespace {

struct LegacyState {
  std::mutex mutex;
  cublasHandle_t handle = nullptr;
  cublasStatus_t last_error = CUBLAS_STATUS_SUCCESS;
};

LegacyState& legacy() {
  static auto* state = new LegacyState;  // outlives the program's destructors
  return *state;
}

// The first function initializes the library if cublasInit was not called.
cublasHandle_t handle() {
  const std::lock_guard lock(legacy().mutex);
  if (!legacy().handle) cublasCreate_v2(&legacy().handle);
  return legacy().handle;
}

void keep(cublasStatus_t status) {
  const std::lock_guard lock(legacy().mutex);
  if (status != CUBLAS_STATUS_SUCCESS) legacy().last_error = status;
}

cublasOperation_t operation(char letter) {
  switch (letter) {
    case 'n':
    case 'N':
      return CUBLAS_OP_N;
    case 't':
    case 'T':
      return CUBLAS_OP_T;
    case 'c':
    case 'C':
      return CUBLAS_OP_C;
    default:
      return static_cast<cublasOperation_t>(-1);
  }
}

}  // namespace
}  // namespace simgpu

using namespace simgpu;

#define SIMGPU_CALL(name)                                       \
  static const ApiFunction function{#name, ApiDomain::Library}; \
  ApiCall call(function);

SIMGPU_API cublasStatus cublasInit(void) {
  SIMGPU_CALL(cublasInit)
  return call.leave(handle() ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_NOT_INITIALIZED);
}

SIMGPU_API cublasStatus cublasShutdown(void) {
  SIMGPU_CALL(cublasShutdown)
  const std::lock_guard lock(legacy().mutex);
  if (!legacy().handle) return call.leave(CUBLAS_STATUS_NOT_INITIALIZED);
  const auto status = cublasDestroy_v2(legacy().handle);
  legacy().handle = nullptr;
  return call.leave(status);
}

SIMGPU_API cublasStatus cublasGetError(void) {
  const std::lock_guard lock(legacy().mutex);
  return std::exchange(legacy().last_error, CUBLAS_STATUS_SUCCESS);
}

SIMGPU_API cublasStatus cublasGetVersion(int* version) {
  if (!version) return CUBLAS_STATUS_INVALID_VALUE;
  *version = library_version();
  return CUBLAS_STATUS_SUCCESS;
}

SIMGPU_API cublasStatus cublasAlloc(int n, int element, void** out) {
  SIMGPU_CALL(cublasAlloc)
  if (n <= 0 || element <= 0 || !out) return call.leave(CUBLAS_STATUS_INVALID_VALUE);
  const auto bytes = static_cast<std::size_t>(n) * static_cast<std::size_t>(element);
  const auto error = allocate_device(current_device(), bytes, out);
  return call.leave(error == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_ALLOC_FAILED);
}

SIMGPU_API cublasStatus cublasFree(void* address) {
  SIMGPU_CALL(cublasFree)
  return call.leave(free_device(address) == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_INTERNAL_ERROR);
}

SIMGPU_API cublasStatus cublasSetKernelStream(cudaStream_t stream) {
  SIMGPU_CALL(cublasSetKernelStream)
  return call.leave(cublasSetStream_v2(handle(), stream));
}

// These call this library's own _v2 functions, even if another library in the process has functions of these names.
#define SIMGPU_LEGACY(L, Type)                                                                                         \
  SIMGPU_API void cublas##L##gemm(char transa, char transb, int m, int n, int k, Type alpha, const Type* A, int lda,   \
                                  const Type* B, int ldb, Type beta, Type* C, int ldc) {                               \
    SIMGPU_CALL(cublas##L##gemm)                                                                                       \
    keep(cublas##L##gemm_v2(handle(), operation(transa), operation(transb), m, n, k, &alpha, A, lda, B, ldb, &beta, C, \
                            ldc));                                                                                     \
  }                                                                                                                    \
  SIMGPU_API void cublas##L##gemv(char trans, int m, int n, Type alpha, const Type* A, int lda, const Type* x,         \
                                  int incx, Type beta, Type* y, int incy) {                                            \
    SIMGPU_CALL(cublas##L##gemv)                                                                                       \
    keep(cublas##L##gemv_v2(handle(), operation(trans), m, n, &alpha, A, lda, x, incx, &beta, y, incy));               \
  }                                                                                                                    \
  SIMGPU_API void cublas##L##axpy(int n, Type alpha, const Type* x, int incx, Type* y, int incy) {                     \
    SIMGPU_CALL(cublas##L##axpy)                                                                                       \
    keep(cublas##L##axpy_v2(handle(), n, &alpha, x, incx, y, incy));                                                   \
  }                                                                                                                    \
  SIMGPU_API void cublas##L##scal(int n, Type alpha, Type* x, int incx) {                                              \
    SIMGPU_CALL(cublas##L##scal)                                                                                       \
    keep(cublas##L##scal_v2(handle(), n, &alpha, x, incx));                                                            \
  }                                                                                                                    \
  SIMGPU_API void cublas##L##copy(int n, const Type* x, int incx, Type* y, int incy) {                                 \
    SIMGPU_CALL(cublas##L##copy)                                                                                       \
    keep(cublas##L##copy_v2(handle(), n, x, incx, y, incy));                                                           \
  }

#define SIMGPU_LEGACY_REDUCTIONS(L, Type)                                                   \
  SIMGPU_API Type cublas##L##dot(int n, const Type* x, int incx, const Type* y, int incy) { \
    SIMGPU_CALL(cublas##L##dot)                                                             \
    Type result = 0;                                                                        \
    keep(cublas##L##dot_v2(handle(), n, x, incx, y, incy, &result));                        \
    return result;                                                                          \
  }                                                                                         \
  SIMGPU_API Type cublas##L##nrm2(int n, const Type* x, int incx) {                         \
    SIMGPU_CALL(cublas##L##nrm2)                                                            \
    Type result = 0;                                                                        \
    keep(cublas##L##nrm2_v2(handle(), n, x, incx, &result));                                \
    return result;                                                                          \
  }                                                                                         \
  SIMGPU_API Type cublas##L##asum(int n, const Type* x, int incx) {                         \
    SIMGPU_CALL(cublas##L##asum)                                                            \
    Type result = 0;                                                                        \
    keep(cublas##L##asum_v2(handle(), n, x, incx, &result));                                \
    return result;                                                                          \
  }

SIMGPU_LEGACY(S, float)
SIMGPU_LEGACY(D, double)
SIMGPU_LEGACY(C, cuComplex)
SIMGPU_LEGACY(Z, cuDoubleComplex)
SIMGPU_LEGACY_REDUCTIONS(S, float)
SIMGPU_LEGACY_REDUCTIONS(D, double)

#undef SIMGPU_CALL
