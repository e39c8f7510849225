// Facts about matrix multiplications of cuBLAS and cublasLt: shape, types, transposition, batch.
#pragma once

#include <cublasLt.h>
#include <cublas_api.h>

#include "hooks/hook_kinds.h"
#include "hooks/real_function.h"

namespace tauprof::hooks {

inline uint8_t log_type(cudaDataType type) {
  using log::DataType;
  switch (static_cast<int>(type)) {
    case CUDA_R_16F:
      return static_cast<uint8_t>(DataType::kFloat16);
    case CUDA_R_16BF:
      return static_cast<uint8_t>(DataType::kBfloat16);
    case CUDA_R_32F:
      return static_cast<uint8_t>(DataType::kFloat32);
    case CUDA_R_64F:
      return static_cast<uint8_t>(DataType::kFloat64);
    case CUDA_C_32F:
      return static_cast<uint8_t>(DataType::kComplex64);
    case CUDA_C_64F:
      return static_cast<uint8_t>(DataType::kComplex128);
    case CUDA_R_8I:
      return static_cast<uint8_t>(DataType::kInt8);
    case CUDA_R_8U:
      return static_cast<uint8_t>(DataType::kUint8);
    case CUDA_R_16I:
      return static_cast<uint8_t>(DataType::kInt16);
    case CUDA_R_32I:
      return static_cast<uint8_t>(DataType::kInt32);
    case CUDA_R_32U:
      return static_cast<uint8_t>(DataType::kUint32);
    case CUDA_R_64I:
      return static_cast<uint8_t>(DataType::kInt64);
    case CUDA_R_64U:
      return static_cast<uint8_t>(DataType::kUint64);
    case 28:
      return static_cast<uint8_t>(DataType::kFloat8E4M3);
    case 29:
      return static_cast<uint8_t>(DataType::kFloat8E5M2);
    case 33:
      return static_cast<uint8_t>(DataType::kFloat4);
    default:
      return static_cast<uint8_t>(DataType::kUnknown);
  }
}

inline uint8_t log_type(cublasComputeType_t type) {
  using log::DataType;
  switch (static_cast<int>(type)) {
    case CUBLAS_COMPUTE_16F:
    case CUBLAS_COMPUTE_16F_PEDANTIC:
    case CUBLAS_COMPUTE_32F_FAST_16F:
      return static_cast<uint8_t>(DataType::kFloat16);
    case CUBLAS_COMPUTE_32F_FAST_16BF:
      return static_cast<uint8_t>(DataType::kBfloat16);
    case CUBLAS_COMPUTE_32F_FAST_TF32:
      return static_cast<uint8_t>(DataType::kTf32);
    case CUBLAS_COMPUTE_64F:
    case CUBLAS_COMPUTE_64F_PEDANTIC:
      return static_cast<uint8_t>(DataType::kFloat64);
    case CUBLAS_COMPUTE_32I:
    case CUBLAS_COMPUTE_32I_PEDANTIC:
      return static_cast<uint8_t>(DataType::kInt32);
    default:
      return static_cast<uint8_t>(DataType::kFloat32);
  }
}

// m, n and k are three successive arguments, from this one on.
template <int kFirst>
struct Shape : Fact {
  template <class Arguments>
  static void read(Reading& reading, const Arguments& arguments) {
    reading.extension->shape.m = as_word(argument<kFirst>(arguments));
    reading.extension->shape.n = as_word(argument<kFirst + 1>(arguments));
    reading.extension->shape.k = as_word(argument<kFirst + 2>(arguments));
  }
};

inline unsigned is_transposed(cublasOperation_t operation) { return operation != CUBLAS_OP_N; }
inline unsigned is_transposed(char operation) { return operation != 'n' && operation != 'N'; }

// The operation of A is this argument, that of B the next.
template <int kFirst>
struct Transposes : Fact {
  template <class Arguments>
  static void read(Reading& reading, const Arguments& arguments) {
    reading.extension->shape.transpose = static_cast<uint8_t>(is_transposed(argument<kFirst>(arguments)) |
                                                              is_transposed(argument<kFirst + 1>(arguments)) << 1);
  }
};

// All matrices and the computation have one type, which the function's name says.
template <log::DataType kType>
struct AllOf : Fact {
  template <class Arguments>
  static void read(Reading& reading, const Arguments&) {
    auto& shape = reading.extension->shape;
    shape.type_a = shape.type_b = shape.type_c = shape.type_compute = static_cast<uint8_t>(kType);
  }
};

template <int kA, int kB, int kC>
struct TypesOf : Fact {
  template <class Arguments>
  static void read(Reading& reading, const Arguments& arguments) {
    auto& shape = reading.extension->shape;
    shape.type_a = log_type(argument<kA>(arguments));
    shape.type_b = log_type(argument<kB>(arguments));
    shape.type_c = log_type(argument<kC>(arguments));
  }
};

template <int kArgument>
struct ComputeType : Fact {
  template <class Arguments>
  static void read(Reading& reading, const Arguments& arguments) {
    reading.extension->shape.type_compute = log_type(argument<kArgument>(arguments));
  }
};

template <log::DataType kType>
struct ComputesIn : Fact {
  template <class Arguments>
  static void read(Reading& reading, const Arguments&) {
    reading.extension->shape.type_compute = static_cast<uint8_t>(kType);
  }
};

template <int kArgument>
struct Batch : Fact {
  static constexpr PayloadKind kPayload = PayloadKind::kBatch;
  template <class Arguments>
  static void read(Reading& reading, const Arguments& arguments) {
    reading.call.payload = as_word(argument<kArgument>(arguments));
  }
};

// Groups of multiplications; all multiplications of a group have one shape. Of groups whose shapes differ, m · n · k is
// recorded in sum.
template <int kFirstShape, int kGroups, int kSizes>
struct Grouped : Fact {
  static constexpr PayloadKind kPayload = PayloadKind::kBatch;
  template <class Arguments>
  static void read(Reading& reading, const Arguments& arguments) {
    const auto *m = argument<kFirstShape>(arguments), *n = argument<kFirstShape + 1>(arguments),
               *k = argument<kFirstShape + 2>(arguments);
    const auto groups = argument<kGroups>(arguments);
    const auto* sizes = argument<kSizes>(arguments);
    bool is_uniform = groups > 0;
    uint64_t products = 0;
    reading.call.payload = 0;
    for (int64_t i = 0; i < static_cast<int64_t>(groups); ++i) {
      reading.call.payload += as_word(sizes[i]);
      products += as_word(m[i]) * as_word(n[i]) * as_word(k[i]) * as_word(sizes[i]);
      is_uniform &= m[i] == m[0] && n[i] == n[0] && k[i] == k[0];
    }
    auto& shape = reading.extension->shape;
    shape.shapes_differ = !is_uniform;
    shape.m = is_uniform ? as_word(m[0]) : 0;
    shape.n = is_uniform ? as_word(n[0]) : 0;
    shape.k = is_uniform ? as_word(k[0]) : products;
  }
};

// The stream that a handle is set to; 0 where cuBLAS does not say.
inline uint64_t stream_of_handle(cublasHandle_t handle, const void* site) {
  using GetStream = cublasStatus_t (*)(cublasHandle_t, cudaStream_t*);
  const auto get_stream = query_function<GetStream>(kQuery_cublasGetStream_v2, site);
  cudaStream_t stream = nullptr;
  if (get_stream == nullptr || get_stream(handle, &stream) != CUBLAS_STATUS_SUCCESS) return 0;
  return as_word(stream);
}

template <int kHandle>
struct HandleStream : Fact {
  static constexpr bool kAsksLibrary = true;
  template <class Arguments>
  static void read(Reading& reading, const Arguments& arguments) {
    reading.call.stream = stream_of_handle(argument<kHandle>(arguments), reading.site);
  }
};

// Products of float32 are computed in TF32 if the handle's math mode says so. Comes after the types.
template <int kHandle>
struct MathMode : Fact {
  static constexpr bool kAsksLibrary = true;
  template <class Arguments>
  static void read(Reading& reading, const Arguments& arguments) {
    constexpr auto kFloat32 = static_cast<uint8_t>(DataType::kFloat32);
    constexpr auto kComplex64 = static_cast<uint8_t>(DataType::kComplex64);
    auto& shape = reading.extension->shape;
    const bool is_single = shape.type_a == kFloat32 || shape.type_a == kComplex64;
    if (!is_single || (shape.type_compute != kFloat32 && shape.type_compute != kComplex64)) return;
    using GetMathMode = cublasStatus_t (*)(cublasHandle_t, cublasMath_t*);
    const auto get_math_mode = query_function<GetMathMode>(kQuery_cublasGetMathMode, reading.site);
    cublasMath_t mode = CUBLAS_DEFAULT_MATH;
    if (get_math_mode == nullptr || get_math_mode(argument<kHandle>(arguments), &mode) != CUBLAS_STATUS_SUCCESS) return;
    const int without_flags = static_cast<int>(mode) & ~CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION;
    if (without_flags == CUBLAS_TF32_TENSOR_OP_MATH) shape.type_compute = static_cast<uint8_t>(DataType::kTf32);
  }
};

// Reads cublasLt descriptors, by the functions of the library that the caller uses.
class LtDescriptors {
 public:
  explicit LtDescriptors(const void* site)
      : layout_(query_function<Get>(kQuery_cublasLtMatrixLayoutGetAttribute, site)),
        operation_(query_function<Get>(kQuery_cublasLtMatmulDescGetAttribute, site)) {}
  template <class Value>
  Value of_layout(cublasLtMatrixLayout_t layout, cublasLtMatrixLayoutAttribute_t attribute, Value fallback) const {
    return value_of(layout_, layout, attribute, fallback);
  }
  template <class Value>
  Value of_operation(cublasLtMatmulDesc_t operation, cublasLtMatmulDescAttributes_t attribute, Value fallback) const {
    return value_of(operation_, operation, attribute, fallback);
  }

 private:
  using Get = cublasStatus_t (*)(const void*, int, void*, size_t, size_t*);
  template <class Value>
  static Value value_of(Get get, const void* descriptor, int attribute, Value fallback) {
    Value value;
    size_t written = 0;
    const bool is_known = get != nullptr && descriptor != nullptr &&
                          get(descriptor, attribute, &value, sizeof value, &written) == CUBLAS_STATUS_SUCCESS;
    return is_known && written == sizeof value ? value : fallback;
  }
  Get layout_, operation_;
};

// cublasLtMatmul: everything is in descriptors.
template <int kOperation, int kA, int kB, int kC>
struct LtProblem : Fact {
  static constexpr bool kAsksLibrary = true;
  static constexpr PayloadKind kPayload = PayloadKind::kBatch;
  template <class Arguments>
  static void read(Reading& reading, const Arguments& arguments) {
    const LtDescriptors lt(reading.site);
    const auto operation = argument<kOperation>(arguments);
    const auto a = argument<kA>(arguments), b = argument<kB>(arguments), c = argument<kC>(arguments);
    const auto rows = CUBLASLT_MATRIX_LAYOUT_ROWS, columns = CUBLASLT_MATRIX_LAYOUT_COLS;
    const bool ta = lt.of_operation<int32_t>(operation, CUBLASLT_MATMUL_DESC_TRANSA, CUBLAS_OP_N) != CUBLAS_OP_N;
    const bool tb = lt.of_operation<int32_t>(operation, CUBLASLT_MATMUL_DESC_TRANSB, CUBLAS_OP_N) != CUBLAS_OP_N;
    auto& shape = reading.extension->shape;
    shape.transpose = static_cast<uint8_t>(ta | tb << 1);
    shape.m = lt.of_layout<uint64_t>(c, rows, 0);
    shape.n = lt.of_layout<uint64_t>(c, columns, 0);
    shape.k = lt.of_layout<uint64_t>(a, ta ? rows : columns, 0);
    shape.type_a = type_of(lt, a);
    shape.type_b = type_of(lt, b);
    shape.type_c = type_of(lt, c);
    shape.type_compute = log_type(static_cast<cublasComputeType_t>(
        lt.of_operation<int32_t>(operation, CUBLASLT_MATMUL_DESC_COMPUTE_TYPE, CUBLAS_COMPUTE_32F)));
    reading.call.payload = static_cast<uint64_t>(lt.of_layout<int32_t>(c, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, 1));
  }

 private:
  static uint8_t type_of(const LtDescriptors& lt, cublasLtMatrixLayout_t layout) {
    return log_type(static_cast<cudaDataType>(lt.of_layout<uint32_t>(layout, CUBLASLT_MATRIX_LAYOUT_TYPE, 255)));
  }
};

// A call of cuBLAS that is not a matrix multiplication.
template <class... Facts>
struct BlasApi : FactList<capture::kCategoryGemm, Facts...> {};
using BlasCall = BlasApi<Launches, HandleStream<0>>;

// A multiplication with the arguments handle, two operations, m, n, k, …, and one type.
template <log::DataType kType, class... More>
using PlainGemm = Gemm<HandleStream<0>, Transposes<1>, Shape<3>, AllOf<kType>, MathMode<0>, More...>;
// A multiplication with a type per matrix; the type of the computation is fixed or an argument.
template <class Types, class Compute, class... More>
using TypedGemm = Gemm<HandleStream<0>, Transposes<1>, Shape<3>, Types, Compute, MathMode<0>, More...>;

}  // namespace tauprof::hooks
