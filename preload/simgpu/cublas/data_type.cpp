#include "simgpu/cublas/data_type.h"

#include <array>

namespace simgpu {
namespace {

struct TypeTraits {
  cudaDataType_t type;
  int bytes;
  char letter;
};

constexpr std::array<TypeTraits, 12> kTypes{{
    {CUDA_R_16F, 2, 'h'},
    {CUDA_R_16BF, 2, 't'},
    {CUDA_R_32F, 4, 's'},
    {CUDA_R_64F, 8, 'd'},
    {CUDA_C_32F, 8, 'c'},
    {CUDA_C_64F, 16, 'z'},
    {CUDA_R_8I, 1, 'b'},
    {CUDA_R_8U, 1, 'b'},
    {CUDA_R_32I, 4, 'i'},
    {CUDA_C_8I, 2, 'b'},
    {CUDA_R_8F_E4M3, 1, 'q'},
    {CUDA_R_8F_E5M2, 1, 'r'},
}};

const TypeTraits* find_traits(cudaDataType_t type) {
  for (const auto& traits : kTypes) {
    if (traits.type == type) return &traits;
  }
  return nullptr;
}

bool is_half(cudaDataType_t type) { return type == CUDA_R_16F || type == CUDA_R_16BF; }

bool single_precision_takes(cudaDataType_t a, cudaDataType_t b, cudaDataType_t c) {
  if (is_fp8(a) && is_fp8(b)) return c == CUDA_R_32F || is_half(c) || is_fp8(c);
  if (a != b) return false;
  if (is_half(a) || a == CUDA_R_8I) return c == CUDA_R_32F || (is_half(a) && c == a);
  return (a == CUDA_R_32F && c == a) || ((a == CUDA_C_32F || a == CUDA_C_8I) && c == CUDA_C_32F);
}

}  // namespace

int element_bytes(cudaDataType_t type) {
  const auto* traits = find_traits(type);
  return traits ? traits->bytes : 0;
}

bool is_complex(cudaDataType_t type) { return type == CUDA_C_32F || type == CUDA_C_64F || type == CUDA_C_8I; }

bool is_fp8(cudaDataType_t type) { return type == CUDA_R_8F_E4M3 || type == CUDA_R_8F_E5M2; }

char type_letter(cudaDataType_t type) {
  const auto* traits = find_traits(type);
  return traits ? traits->letter : 's';
}

MathType math_type(cudaDataType_t input, cublasComputeType_t compute) {
  if (is_fp8(input)) return MathType::Fp8;
  if (is_half(input)) return MathType::Half;
  switch (compute) {
    case CUBLAS_COMPUTE_64F:
    case CUBLAS_COMPUTE_64F_PEDANTIC:
    case CUBLAS_COMPUTE_64F_EMULATED_FIXEDPOINT:
      return MathType::Fp64;
    case CUBLAS_COMPUTE_32I:
    case CUBLAS_COMPUTE_32I_PEDANTIC:
      return MathType::Int8;
    case CUBLAS_COMPUTE_16F:
    case CUBLAS_COMPUTE_16F_PEDANTIC:
    case CUBLAS_COMPUTE_32F_FAST_16F:
    case CUBLAS_COMPUTE_32F_FAST_16BF:
      return MathType::Half;
    case CUBLAS_COMPUTE_32F_FAST_TF32:
      return MathType::Tf32;
    default:
      return MathType::Fp32;
  }
}

cublasComputeType_t natural_compute(cudaDataType_t type, cublasMath_t mode) {
  const int base_mode = mode & ~CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION;
  if (type == CUDA_R_16F) return CUBLAS_COMPUTE_16F;
  if (type == CUDA_R_64F || type == CUDA_C_64F) return CUBLAS_COMPUTE_64F;
  if (base_mode == CUBLAS_TF32_TENSOR_OP_MATH) return CUBLAS_COMPUTE_32F_FAST_TF32;
  if (base_mode == CUBLAS_TENSOR_OP_MATH) return CUBLAS_COMPUTE_32F_FAST_16F;
  return CUBLAS_COMPUTE_32F;
}

cudaDataType_t scale_type(cublasComputeType_t compute, cudaDataType_t output) {
  switch (compute) {
    case CUBLAS_COMPUTE_16F:
    case CUBLAS_COMPUTE_16F_PEDANTIC:
      return CUDA_R_16F;
    case CUBLAS_COMPUTE_32I:
    case CUBLAS_COMPUTE_32I_PEDANTIC:
      return CUDA_R_32I;
    case CUBLAS_COMPUTE_64F:
    case CUBLAS_COMPUTE_64F_PEDANTIC:
    case CUBLAS_COMPUTE_64F_EMULATED_FIXEDPOINT:
      return is_complex(output) ? CUDA_C_64F : CUDA_R_64F;
    default:
      return is_complex(output) ? CUDA_C_32F : CUDA_R_32F;
  }
}

bool is_supported(cublasComputeType_t compute, cudaDataType_t a, cudaDataType_t b, cudaDataType_t c) {
  switch (compute) {
    case CUBLAS_COMPUTE_16F:
    case CUBLAS_COMPUTE_16F_PEDANTIC:
      return a == CUDA_R_16F && b == a && c == a;
    case CUBLAS_COMPUTE_32I:
    case CUBLAS_COMPUTE_32I_PEDANTIC:
      return a == CUDA_R_8I && b == a && (c == CUDA_R_32I || c == CUDA_R_8I);
    case CUBLAS_COMPUTE_32F:
    case CUBLAS_COMPUTE_32F_PEDANTIC:
      return single_precision_takes(a, b, c);
    case CUBLAS_COMPUTE_32F_FAST_16F:
    case CUBLAS_COMPUTE_32F_FAST_16BF:
    case CUBLAS_COMPUTE_32F_FAST_TF32:
    case CUBLAS_COMPUTE_32F_EMULATED_16BFX9:
      return (a == CUDA_R_32F || a == CUDA_C_32F) && b == a && c == a;
    case CUBLAS_COMPUTE_64F:
    case CUBLAS_COMPUTE_64F_PEDANTIC:
    case CUBLAS_COMPUTE_64F_EMULATED_FIXEDPOINT:
      return (a == CUDA_R_64F || a == CUDA_C_64F) && b == a && c == a;
  }
  return false;
}

}  // namespace simgpu
