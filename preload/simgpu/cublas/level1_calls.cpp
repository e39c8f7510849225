// Vector operations: kernels bound by the bytes that they touch. In host pointer mode, operations with a scalar result
// wait for it.
#include "simgpu/cublas/data_type.h"
#include "simgpu/cublas/handle.h"

namespace simgpu {
namespace {

cublasStatus_t update_vector(const Handle& handle, const char* kernel, std::int64_t n, cudaDataType_t type,
                             int vectors_touched) {
  if (n <= 0) return CUBLAS_STATUS_SUCCESS;
  if (element_bytes(type) == 0) return CUBLAS_STATUS_NOT_SUPPORTED;
  return launch(streaming_kernel(template_kernel(kernel, type), n, n * element_bytes(type) * vectors_touched), handle);
}

// The result of an empty vector needs no kernel if it goes to the host; on the device it still takes one.
cublasStatus_t reduce_vectors(const Handle& handle, const char* kernel, std::int64_t n, cudaDataType_t type,
                              int vectors_read, const void* result) {
  if (!result) return CUBLAS_STATUS_INVALID_VALUE;
  if (n <= 0 && handle.pointer_mode == CUBLAS_POINTER_MODE_HOST) return CUBLAS_STATUS_SUCCESS;
  const auto bytes = static_cast<std::int64_t>(element_bytes(type));
  if (bytes == 0) return CUBLAS_STATUS_NOT_SUPPORTED;
  const auto count = n > 0 ? n : 1;
  return launch_reduction(streaming_kernel(template_kernel(kernel, type), count, count * bytes * vectors_read), handle,
                          static_cast<std::uint64_t>(bytes));
}

}  // namespace
}  // namespace simgpu

using namespace simgpu;

#define SIMGPU_AXPY(name, Int, Type, type_id)                                                                     \
  SIMGPU_API cublasStatus_t name(cublasHandle_t handle, Int n, const Type* alpha, const Type*, Int, Type*, Int) { \
    SIMGPU_ENTER(name) {                                                                                          \
      return alpha ? update_vector(state, "axpy_kernel_val", n, type_id, 3) : CUBLAS_STATUS_INVALID_VALUE;        \
    });                                                                                                           \
  }

#define SIMGPU_SCAL(name, Int, Type, type_id, Scalar)                                                      \
  SIMGPU_API cublasStatus_t name(cublasHandle_t handle, Int n, const Scalar* alpha, Type*, Int) {          \
    SIMGPU_ENTER(name) {                                                                                   \
      return alpha ? update_vector(state, "scal_kernel_val", n, type_id, 2) : CUBLAS_STATUS_INVALID_VALUE; \
    });                                                                                                    \
  }

#define SIMGPU_COPY(name, Int, Type, type_id)                                                  \
  SIMGPU_API cublasStatus_t name(cublasHandle_t handle, Int n, const Type*, Int, Type*, Int) { \
    SIMGPU_ENTER(name) { return update_vector(state, "copy_kernel", n, type_id, 2); });        \
  }

#define SIMGPU_SWAP(name, Int, Type, type_id)                                            \
  SIMGPU_API cublasStatus_t name(cublasHandle_t handle, Int n, Type*, Int, Type*, Int) { \
    SIMGPU_ENTER(name) { return update_vector(state, "swap_kernel", n, type_id, 4); });  \
  }

#define SIMGPU_DOT(name, Int, Type, type_id)                                                                       \
  SIMGPU_API cublasStatus_t name(cublasHandle_t handle, Int n, const Type*, Int, const Type*, Int, Type* result) { \
    SIMGPU_ENTER(name) { return reduce_vectors(state, "dot_kernel", n, type_id, 2, result); });                    \
  }

#define SIMGPU_REDUCE(name, Int, Type, type_id, Result, kernel)                                    \
  SIMGPU_API cublasStatus_t name(cublasHandle_t handle, Int n, const Type*, Int, Result* result) { \
    SIMGPU_ENTER(name) { return reduce_vectors(state, kernel, n, type_id, 1, result); });          \
  }

#define SIMGPU_LEVEL1(L, Type, type_id, dot_names, Real, real_prefix)                                              \
  SIMGPU_AXPY(cublas##L##axpy_v2, int, Type, type_id)                                                              \
  SIMGPU_AXPY(cublas##L##axpy_v2_64, int64_t, Type, type_id)                                                       \
  SIMGPU_SCAL(cublas##L##scal_v2, int, Type, type_id, Type)                                                        \
  SIMGPU_SCAL(cublas##L##scal_v2_64, int64_t, Type, type_id, Type)                                                 \
  SIMGPU_COPY(cublas##L##copy_v2, int, Type, type_id)                                                              \
  SIMGPU_COPY(cublas##L##copy_v2_64, int64_t, Type, type_id)                                                       \
  SIMGPU_SWAP(cublas##L##swap_v2, int, Type, type_id)                                                              \
  SIMGPU_SWAP(cublas##L##swap_v2_64, int64_t, Type, type_id)                                                       \
  dot_names(L, Type, type_id) SIMGPU_REDUCE(cublas##real_prefix##nrm2_v2, int, Type, type_id, Real, "nrm2_kernel") \
      SIMGPU_REDUCE(cublas##real_prefix##nrm2_v2_64, int64_t, Type, type_id, Real, "nrm2_kernel")                  \
          SIMGPU_REDUCE(cublas##real_prefix##asum_v2, int, Type, type_id, Real, "asum_kernel")                     \
              SIMGPU_REDUCE(cublas##real_prefix##asum_v2_64, int64_t, Type, type_id, Real, "asum_kernel")

#define SIMGPU_REAL_DOT(L, Type, type_id)           \
  SIMGPU_DOT(cublas##L##dot_v2, int, Type, type_id) \
  SIMGPU_DOT(cublas##L##dot_v2_64, int64_t, Type, type_id)

#define SIMGPU_COMPLEX_DOT(L, Type, type_id)                \
  SIMGPU_DOT(cublas##L##dotu_v2, int, Type, type_id)        \
  SIMGPU_DOT(cublas##L##dotu_v2_64, int64_t, Type, type_id) \
  SIMGPU_DOT(cublas##L##dotc_v2, int, Type, type_id)        \
  SIMGPU_DOT(cublas##L##dotc_v2_64, int64_t, Type, type_id)

SIMGPU_LEVEL1(S, float, CUDA_R_32F, SIMGPU_REAL_DOT, float, S)
SIMGPU_LEVEL1(D, double, CUDA_R_64F, SIMGPU_REAL_DOT, double, D)
SIMGPU_LEVEL1(C, cuComplex, CUDA_C_32F, SIMGPU_COMPLEX_DOT, float, Sc)
SIMGPU_LEVEL1(Z, cuDoubleComplex, CUDA_C_64F, SIMGPU_COMPLEX_DOT, double, Dz)

SIMGPU_SCAL(cublasCsscal_v2, int, cuComplex, CUDA_C_32F, float)
SIMGPU_SCAL(cublasCsscal_v2_64, int64_t, cuComplex, CUDA_C_32F, float)
SIMGPU_SCAL(cublasZdscal_v2, int, cuDoubleComplex, CUDA_C_64F, double)
SIMGPU_SCAL(cublasZdscal_v2_64, int64_t, cuDoubleComplex, CUDA_C_64F, double)

#define SIMGPU_EXTREME(which)                                                                     \
  SIMGPU_REDUCE(cublasIs##which##_v2, int, float, CUDA_R_32F, int, "iamax_kernel")                \
  SIMGPU_REDUCE(cublasIs##which##_v2_64, int64_t, float, CUDA_R_32F, int64_t, "iamax_kernel")     \
  SIMGPU_REDUCE(cublasId##which##_v2, int, double, CUDA_R_64F, int, "iamax_kernel")               \
  SIMGPU_REDUCE(cublasId##which##_v2_64, int64_t, double, CUDA_R_64F, int64_t, "iamax_kernel")    \
  SIMGPU_REDUCE(cublasIc##which##_v2, int, cuComplex, CUDA_C_32F, int, "iamax_kernel")            \
  SIMGPU_REDUCE(cublasIc##which##_v2_64, int64_t, cuComplex, CUDA_C_32F, int64_t, "iamax_kernel") \
  SIMGPU_REDUCE(cublasIz##which##_v2, int, cuDoubleComplex, CUDA_C_64F, int, "iamax_kernel")      \
  SIMGPU_REDUCE(cublasIz##which##_v2_64, int64_t, cuDoubleComplex, CUDA_C_64F, int64_t, "iamax_kernel")

SIMGPU_EXTREME(amax)
SIMGPU_EXTREME(amin)

// The functions whose types are parameters.
#define SIMGPU_LEVEL1_EX(suffix, Int)                                                                                  \
  SIMGPU_API cublasStatus_t cublasAxpyEx##suffix(cublasHandle_t handle, Int n, const void* alpha, cudaDataType,        \
                                                 const void*, cudaDataType xType, Int, void*, cudaDataType, Int,       \
                                                 cudaDataType) {                                                       \
    SIMGPU_ENTER(cublasAxpyEx##suffix) {                                                                               \
      return alpha ? update_vector(state, "axpy_kernel_val", n, xType, 3) : CUBLAS_STATUS_INVALID_VALUE;               \
    });                                                                                                                \
  }                                                                                                                    \
  SIMGPU_API cublasStatus_t cublasScalEx##suffix(cublasHandle_t handle, Int n, const void* alpha, cudaDataType, void*, \
                                                 cudaDataType xType, Int, cudaDataType) {                              \
    SIMGPU_ENTER(cublasScalEx##suffix) {                                                                               \
      return alpha ? update_vector(state, "scal_kernel_val", n, xType, 2) : CUBLAS_STATUS_INVALID_VALUE;               \
    });                                                                                                                \
  }                                                                                                                    \
  SIMGPU_API cublasStatus_t cublasCopyEx##suffix(cublasHandle_t handle, Int n, const void*, cudaDataType xType, Int,   \
                                                 void*, cudaDataType, Int) {                                           \
    SIMGPU_ENTER(cublasCopyEx##suffix) { return update_vector(state, "copy_kernel", n, xType, 2); });                  \
  }                                                                                                                    \
  SIMGPU_API cublasStatus_t cublasNrm2Ex##suffix(cublasHandle_t handle, Int n, const void*, cudaDataType xType, Int,   \
                                                 void* result, cudaDataType, cudaDataType) {                           \
    SIMGPU_ENTER(cublasNrm2Ex##suffix) { return reduce_vectors(state, "nrm2_kernel", n, xType, 1, result); });         \
  }                                                                                                                    \
  SIMGPU_API cublasStatus_t cublasDotEx##suffix(cublasHandle_t handle, Int n, const void*, cudaDataType xType, Int,    \
                                                const void*, cudaDataType, Int, void* result, cudaDataType,            \
                                                cudaDataType) {                                                        \
    SIMGPU_ENTER(cublasDotEx##suffix) { return reduce_vectors(state, "dot_kernel", n, xType, 2, result); });           \
  }                                                                                                                    \
  SIMGPU_API cublasStatus_t cublasDotcEx##suffix(cublasHandle_t handle, Int n, const void*, cudaDataType xType, Int,   \
                                                 const void*, cudaDataType, Int, void* result, cudaDataType,           \
                                                 cudaDataType) {                                                       \
    SIMGPU_ENTER(cublasDotcEx##suffix) { return reduce_vectors(state, "dot_kernel", n, xType, 2, result); });          \
  }                                                                                                                    \
  SIMGPU_API cublasStatus_t cublasAsumEx##suffix(cublasHandle_t handle, Int n, const void*, cudaDataType xType, Int,   \
                                                 void* result, cudaDataType, cudaDataType) {                           \
    SIMGPU_ENTER(cublasAsumEx##suffix) { return reduce_vectors(state, "asum_kernel", n, xType, 1, result); });         \
  }

SIMGPU_LEVEL1_EX(, int)
SIMGPU_LEVEL1_EX(_64, int64_t)
