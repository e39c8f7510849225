// cublasSetVector, cublasGetMatrix and the like: strided copies between the host and the device.
#include <algorithm>

#include "simgpu/cublas/kernel_launch.h"
#include "simgpu/engine/call.h"
#include "simgpu/engine/memory.h"

namespace simgpu {
namespace {

// Rows of `bytes` each, with a stride on either side. A vector has rows of one element.
struct Rows {
  std::int64_t count;
  std::int64_t bytes;
  const void* source;
  std::int64_t source_pitch;
  void* destination;
  std::int64_t destination_pitch;
};

void move_rows(const Rows& rows) {
  if (rows.source_pitch == rows.bytes && rows.destination_pitch == rows.bytes) {
    move_bytes(rows.destination, rows.source, static_cast<std::size_t>(rows.count * rows.bytes));
    return;
  }
  for (std::int64_t i = 0; i < rows.count; ++i) {
    move_bytes(static_cast<std::byte*>(rows.destination) + i * rows.destination_pitch,
               static_cast<const std::byte*>(rows.source) + i * rows.source_pitch,
               static_cast<std::size_t>(rows.bytes));
  }
}

cublasStatus_t transfer(CopyDirection direction, const Rows& rows, cudaStream_t stream, bool is_async) {
  SpanDescription copy;
  copy.kind = SpanKind::Memcpy;
  copy.direction = direction;
  copy.source = memory_kind(rows.source);
  copy.destination = memory_kind(rows.destination);
  copy.is_async = is_async;
  copy.bytes = static_cast<std::uint64_t>(rows.count * rows.bytes);
  auto status = copy_on_stream(copy, current_device(), stream, [rows] { move_rows(rows); });
  if (status == CUBLAS_STATUS_SUCCESS && !is_async) status = wait_for_stream(current_device(), stream);
  return status == CUBLAS_STATUS_EXECUTION_FAILED ? CUBLAS_STATUS_MAPPING_ERROR : status;
}

cublasStatus_t transfer_vector(CopyDirection direction, std::int64_t n, std::int64_t element, const void* x,
                               std::int64_t incx, void* y, std::int64_t incy, cudaStream_t stream, bool is_async) {
  if (incx <= 0 || incy <= 0 || element <= 0) return CUBLAS_STATUS_INVALID_VALUE;
  if (n <= 0) return CUBLAS_STATUS_SUCCESS;
  return transfer(direction, {n, element, x, incx * element, y, incy * element}, stream, is_async);
}

cublasStatus_t transfer_matrix(CopyDirection direction, std::int64_t rows, std::int64_t columns, std::int64_t element,
                               const void* a, std::int64_t lda, void* b, std::int64_t ldb, cudaStream_t stream,
                               bool is_async) {
  if (rows < 0 || columns < 0 || element <= 0 || lda <= 0 || ldb <= 0) return CUBLAS_STATUS_INVALID_VALUE;
  if (lda < rows || ldb < rows) return CUBLAS_STATUS_INVALID_VALUE;
  if (rows == 0 || columns == 0) return CUBLAS_STATUS_SUCCESS;
  return transfer(direction, {columns, rows * element, a, lda * element, b, ldb * element}, stream, is_async);
}

}  // namespace
}  // namespace simgpu

using namespace simgpu;

#define SIMGPU_CALL(name)                                       \
  static const ApiFunction function{#name, ApiDomain::Library}; \
  ApiCall call(function);

#define SIMGPU_VECTOR(name, Int, direction)                                                                     \
  SIMGPU_API cublasStatus_t name(Int n, Int element, const void* x, Int incx, void* y, Int incy) {              \
    SIMGPU_CALL(name)                                                                                           \
    return call.leave(transfer_vector(CopyDirection::direction, n, element, x, incx, y, incy, nullptr, false)); \
  }

#define SIMGPU_VECTOR_ASYNC(name, Int, direction)                                                             \
  SIMGPU_API cublasStatus_t name(Int n, Int element, const void* x, Int incx, void* y, Int incy,              \
                                 cudaStream_t stream) {                                                       \
    SIMGPU_CALL(name)                                                                                         \
    return call.leave(transfer_vector(CopyDirection::direction, n, element, x, incx, y, incy, stream, true)); \
  }

#define SIMGPU_MATRIX(name, Int, direction)                                                                            \
  SIMGPU_API cublasStatus_t name(Int rows, Int cols, Int element, const void* A, Int lda, void* B, Int ldb) {          \
    SIMGPU_CALL(name)                                                                                                  \
    return call.leave(transfer_matrix(CopyDirection::direction, rows, cols, element, A, lda, B, ldb, nullptr, false)); \
  }

#define SIMGPU_MATRIX_ASYNC(name, Int, direction)                                                                    \
  SIMGPU_API cublasStatus_t name(Int rows, Int cols, Int element, const void* A, Int lda, void* B, Int ldb,          \
                                 cudaStream_t stream) {                                                              \
    SIMGPU_CALL(name)                                                                                                \
    return call.leave(transfer_matrix(CopyDirection::direction, rows, cols, element, A, lda, B, ldb, stream, true)); \
  }

#define SIMGPU_TRANSFERS(verb, direction)                               \
  SIMGPU_VECTOR(cublas##verb##Vector, int, direction)                   \
  SIMGPU_VECTOR(cublas##verb##Vector_64, int64_t, direction)            \
  SIMGPU_VECTOR_ASYNC(cublas##verb##VectorAsync, int, direction)        \
  SIMGPU_VECTOR_ASYNC(cublas##verb##VectorAsync_64, int64_t, direction) \
  SIMGPU_MATRIX(cublas##verb##Matrix, int, direction)                   \
  SIMGPU_MATRIX(cublas##verb##Matrix_64, int64_t, direction)            \
  SIMGPU_MATRIX_ASYNC(cublas##verb##MatrixAsync, int, direction)        \
  SIMGPU_MATRIX_ASYNC(cublas##verb##MatrixAsync_64, int64_t, direction)

SIMGPU_TRANSFERS(Set, HostToDevice)
SIMGPU_TRANSFERS(Get, DeviceToHost)

#undef SIMGPU_CALL
