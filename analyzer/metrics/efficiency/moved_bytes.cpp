#include "metrics/efficiency/moved_bytes.h"

#include <algorithm>

#include "model/data_type_size.h"

namespace tauprof {
namespace {

using log::ProductForm;

// Elements of the three that a product has: of C, of A, of B.
MovedBytes of_matrices(const GemmShape& shape, double m, double n, double k) {
  const auto a = static_cast<double>(size_of(shape.type_a)), b = static_cast<double>(size_of(shape.type_b));
  if (a <= 0 || b <= 0) return {};
  const double bytes = m * k * a + k * n * b + m * n * std::max(a, b);
  return {bytes, bytes};
}

// An operator that computes several gradients has as many times the operations.
MovedBytes of_convolution(const GemmShape& shape, double m, double n, double k) {
  const double products = shape.flops / (2 * m * n * k * static_cast<double>(shape.batch));
  const double each = static_cast<double>(size_of(shape.type_a)) * products;
  const double least = each * (m * n + n * k);
  return {least, least + each * m * k};
}

// The widths of a head are those of a key and a value; of a backward pass, of three and two of them.
MovedBytes of_attention(const GemmShape& shape, double m, double n, double k) {
  const auto size = static_cast<double>(size_of(shape.type_a));
  return {size * m * k, size * (m + n) * k};
}

MovedBytes of_attention_backward(const GemmShape& shape, double m, double n, double k) {
  constexpr double kProductsOfBoth = 2.5, kWithGradients = 2;
  const MovedBytes forward = of_attention(shape, m, n, k / kProductsOfBoth);
  return {kWithGradients * forward.least, kWithGradients * forward.most};
}

}  // namespace

MovedBytes moved_bytes(const GemmShape& shape) {
  if (shape.m <= 0 || shape.n <= 0 || shape.k <= 0) return {};
  const auto m = static_cast<double>(shape.m), n = static_cast<double>(shape.n), k = static_cast<double>(shape.k);
  MovedBytes one;
  switch (shape.form) {
    case ProductForm::kMatrices:
      one = of_matrices(shape, m, n, k);
      break;
    case ProductForm::kAttention:
      one = of_attention(shape, m, n, k);
      break;
    case ProductForm::kAttentionBackward:
      one = of_attention_backward(shape, m, n, k);
      break;
    default:
      one = of_convolution(shape, m, n, k);
  }
  const auto batch = static_cast<double>(shape.batch);
  return {one.least * batch, one.most * batch};
}

KnownWork work_of_copy(const DeviceSpan& span) {
  const bool is_set = span.activity == log::ActivityKind::kMemset;
  if (span.bytes <= 0 || (!is_set && span.activity != log::ActivityKind::kMemcpy)) return {};
  const bool is_on_device = is_set || span.copy_kind == log::CopyKind::kDeviceToDevice;
  const auto bytes = static_cast<double>(span.bytes) * (is_on_device && !is_set ? 2 : 1);
  KnownWork work;
  work.bytes = {bytes, bytes};
  work.with_bytes = 1;
  work.on_device = is_on_device;
  return work;
}

}  // namespace tauprof
