// Matrix multiplications: their sizes, types and floating-point operations.
//
// A *product* is what one call of cuBLAS, or one operator of PyTorch, computes; it may launch several kernels.
// Convolutions and attention count as products, too, in the terms of docs/log-format.md, operator_work.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <string_view>

#include "log/format.h"

namespace tauprof {

// Number formats that differ in how fast a device can multiply.
enum class Precision : uint8_t { kUnknown, kFp64, kFp32, kTf32, kFp16, kBf16, kFp8, kInt8, kFp4 };
inline constexpr size_t kPrecisionCount = 9;
inline constexpr std::array<std::string_view, kPrecisionCount> kPrecisionNames = {
    "unknown", "fp64", "fp32", "tf32", "fp16", "bf16", "fp8", "int8", "fp4"};
inline std::string_view precision_name(Precision precision) { return kPrecisionNames[static_cast<size_t>(precision)]; }

template <class T>
using PerPrecision = std::array<T, kPrecisionCount>;

// Kernels whose names say that they multiply matrices.
enum class MatrixKernel : uint8_t { kNone, kProduct, kConvolution, kAttention, kGraph };
inline constexpr std::array<std::string_view, 5> kMatrixKernelNames = {"none", "product", "convolution", "attention",
                                                                       "graph"};  // a whole CUDA graph may hold any

inline constexpr std::array<std::string_view, 6> kProductFormNames = {
    "matrices", "convolution", "convolution_data", "convolution_filter", "attention", "attention_backward"};

// C (m×n) = A (m×k) · B (k×n), `batch` times. Sizes are 0 where shapes in a group differ.
struct GemmShape {
  int64_t m = 0;
  int64_t n = 0;
  int64_t k = 0;
  int64_t batch = 1;
  double flops = 0;
  log::DataType type_a = log::DataType::kUnknown;
  log::DataType type_b = log::DataType::kUnknown;
  log::DataType type_compute = log::DataType::kUnknown;  // kUnknown: as the kernel's name says
  uint8_t transpose = 0;                                 // bit 0: A, bit 1: B
  log::ProductForm form = log::ProductForm::kMatrices;

  auto operator<=>(const GemmShape&) const = default;
};

// A call and its product. If an operator launched several kernels, each of its launches has the product.
struct GemmWork {
  uint32_t call = 0;     // index into ProcessTrace::calls
  uint32_t kind = 0;     // index into ProcessTrace::gemm_kinds
  uint32_t product = 0;  // its number in the process
};

// The products of one function and shape.
struct GemmKind {
  uint32_t function = 0;  // of a library, or an operator; id in ProcessTrace::names
  GemmShape shape;

  auto operator<=>(const GemmKind&) const = default;
};

}  // namespace tauprof
