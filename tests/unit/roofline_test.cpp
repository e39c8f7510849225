// The bounds of device work, and the time that products would take at the rate of others.
#include "metrics/efficiency/roofline.h"

#include <gtest/gtest.h>

#include "metrics/efficiency/device_peaks.h"
#include "metrics/efficiency/moved_bytes.h"
#include "metrics/efficiency/product_rates.h"
#include "metrics/run/peaks.h"

namespace tauprof {
namespace {

using log::DataType;
using log::ProductForm;

constexpr std::string_view kH200 = "NVIDIA H200";
constexpr double kShortestNs = 2000;

GemmShape product(int64_t m, int64_t n, int64_t k, DataType type = DataType::kBfloat16,
                  ProductForm form = ProductForm::kMatrices) {
  GemmShape shape;
  shape.m = m, shape.n = n, shape.k = k;
  shape.flops = 2.0 * static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k);
  shape.type_a = shape.type_b = type;
  shape.form = form;
  return shape;
}

// One such product that takes `total`.
Roofline roofline(const GemmShape& shape, Precision precision, Nanoseconds total, std::string_view device = kH200) {
  LeastTimes least;
  least.add(shape.flops, precision, moved_bytes(shape), peaks_of(device, std::nullopt), device);
  return roofline_of(least, 1, total, kShortestNs);
}

TEST(MovedBytes, AreEachMatrixOnce) {
  const MovedBytes bytes = moved_bytes(product(100, 200, 300));
  EXPECT_EQ(bytes.least, 2 * (100 * 300 + 300 * 200 + 100 * 200));
  EXPECT_EQ(bytes.most, bytes.least);
}

TEST(MovedBytes, OfAConvolutionAreBetweenTwo) {
  const MovedBytes bytes = moved_bytes(product(1000, 64, 27, DataType::kFloat32, ProductForm::kConvolution));
  EXPECT_EQ(bytes.least, 4 * (1000 * 64 + 64 * 27));
  EXPECT_EQ(bytes.most, bytes.least + 4 * 1000 * 27);
}

TEST(MovedBytes, OfAttentionAreItsFourAndInABackwardPassThemAndTheirGradients) {
  // 128 queries, 256 keys, heads 64 wide: forward 64 + 64, backward 3 · 64 + 2 · 64.
  const MovedBytes forward = moved_bytes(product(128, 256, 128, DataType::kFloat16, ProductForm::kAttention));
  EXPECT_EQ(forward.most, 2 * 2 * (128 + 256) * 64);
  const MovedBytes backward = moved_bytes(product(128, 256, 320, DataType::kFloat16, ProductForm::kAttentionBackward));
  EXPECT_EQ(backward.most, 2 * forward.most);
}

TEST(MovedBytes, AreNotKnownWithoutTypesOrSizes) {
  EXPECT_FALSE(moved_bytes(product(100, 200, 300, DataType::kUnknown)).is_known());
  EXPECT_FALSE(moved_bytes(product(0, 0, 0)).is_known());
}

TEST(MovedBytes, OfACopyOnTheDeviceAreReadAndWritten) {
  DeviceSpan span;
  span.activity = log::ActivityKind::kMemcpy;
  span.bytes = 1000;
  span.copy_kind = log::CopyKind::kDeviceToDevice;
  EXPECT_EQ(work_of_copy(span).bytes.least, 2000);
  EXPECT_EQ(work_of_copy(span).on_device, 1u);
  span.copy_kind = log::CopyKind::kHostToDevice;
  EXPECT_EQ(work_of_copy(span).bytes.least, 1000);
  EXPECT_EQ(work_of_copy(span).on_device, 0u) << "bound by what lies between";
  span.activity = log::ActivityKind::kMemset;
  EXPECT_EQ(work_of_copy(span).bytes.least, 1000);
  EXPECT_EQ(work_of_copy(span).on_device, 1u);
}

TEST(Roofline, HasNoShareWhereBytesAreOnlyBetweenTwoLimits) {
  const auto of_bytes = [](MovedBytes bytes) {
    LeastTimes least;
    least.add(0, Precision::kUnknown, bytes, peaks_of(kH200, std::nullopt), kH200);
    return roofline_of(least, 1, 100'000, kShortestNs);
  };
  const Roofline between = of_bytes({120e6, 240e6});
  EXPECT_EQ(between.bound, Bound::kMemory);
  EXPECT_EQ(between.share_of_bound, std::nullopt);
  EXPECT_NEAR(*of_bytes({240e6, 241e6}).share_of_bound, 0.5, 1e-9);  // 240 MB at 4.8 TB/s take 50 us
}

TEST(Roofline, IsTheGreatestOfThree) {
  const Roofline computing = roofline(product(4096, 4096, 4096), Precision::kBf16, 278'000);
  EXPECT_EQ(computing.bound, Bound::kCompute);
  EXPECT_NEAR(*computing.share_of_bound, 2.0 * 4096 * 4096 * 4096 / 989.5e12 * 1e9 / 278'000, 1e-9);
  const Roofline moving = roofline(product(4096, 8, 4096), Precision::kBf16, 10'000);
  EXPECT_EQ(moving.bound, Bound::kMemory);
  EXPECT_NEAR(*moving.share_of_bound, 0.70, 0.01);
  EXPECT_EQ(roofline(product(256, 256, 256), Precision::kBf16, 4'000).bound, Bound::kLatency);
}

TEST(Roofline, IsNotKnownWhereBytesDecideAndAreNot) {
  // At least 25.6 MB, at most 616 MB: less or more than computing takes.
  const GemmShape shape = product(200'000, 64, 1475, DataType::kBfloat16, ProductForm::kConvolution);
  EXPECT_FALSE(roofline(shape, Precision::kBf16, 1'000'000).bound);
}

TEST(Roofline, IsNotKnownOfAnUnknownDeviceUnlessEvenTheShortestKernelTakesAsLong) {
  EXPECT_FALSE(roofline(product(4096, 4096, 4096), Precision::kBf16, 278'000, "Some GPU").bound);
  EXPECT_EQ(roofline(product(256, 256, 256), Precision::kBf16, 3'000, "Some GPU").bound, Bound::kLatency);
}

TEST(Roofline, IsNoneThatTheWorkUndercuts) {
  // 134 MB in 10 µs: they were in a cache.
  EXPECT_FALSE(roofline(product(8192, 1, 8192), Precision::kBf16, 10'000).bound);
}

TEST(ProductRates, AreThoseOfTheNearestInOperations) {
  ProductRates rates;
  rates.add(product(1024, 1024, 1024), Precision::kBf16, 10, 100'000);
  rates.add(product(4096, 4096, 4096), Precision::kBf16, 1, 300'000);
  const GemmShape odd = product(1000, 1001, 1000);
  EXPECT_EQ(rates.nearest(odd, Precision::kBf16).total_ns, 100'000);
  EXPECT_EQ(rates.nearest(odd, Precision::kFp16).flops, 0) << "none of this precision";
}

TEST(ProductRates, LeaveOutTheProductItselfAndThoseWhoseSizesDoNotSuit) {
  ProductRates rates;
  const GemmShape one = product(1024, 1024, 1024), other = product(512, 2048, 1024), odd = product(1000, 1001, 1000);
  rates.add(odd, Precision::kBf16, 1, 5);
  rates.add(one, Precision::kBf16, 10, 100'000);
  const ProductRate own{one.flops * 10, 100'000};
  EXPECT_EQ(rates.nearest(one, Precision::kBf16, own).flops, 0);
  rates.add(other, Precision::kBf16, 10, 50'000);
  EXPECT_DOUBLE_EQ(rates.nearest(one, Precision::kBf16, own).total_ns, 50'000);
}

TEST(InTf32, IsAsMuchFasterAsThePeaksDiffer) {
  const GemmShape shape = product(4096, 4096, 4096, DataType::kFloat32);
  EXPECT_NEAR(in_tf32_ns(8e6, shape, "NVIDIA A100-SXM4-80GB", 0), 1e6, 1);
  EXPECT_EQ(in_tf32_ns(8e6, shape, "NVIDIA A100-SXM4-80GB", 2e6), 2e6) << "no less than the shortest";
  EXPECT_EQ(in_tf32_ns(8e6, shape, "Some GPU", 0), 0);
}

KernelMetrics kernel(std::string_view name, SpanClass span_class, uint64_t count, Nanoseconds total) {
  KernelMetrics metrics;
  metrics.name = name;
  metrics.span_class = span_class;
  metrics.count = count;
  metrics.total = total;
  metrics.least.is_known = false;
  return metrics;
}

TEST(BoundsOfWork, TakeTheShortestKernelThatComputesForTheLatency) {
  std::vector<KernelMetrics> kernels = {
      kernel("long", SpanClass::kCompute, 10, 1'000'000), kernel("short", SpanClass::kCompute, 10, 20'000),
      kernel("nearly", SpanClass::kCompute, 10, 30'000), kernel("all-reduce", SpanClass::kComm, 10, 10'000)};
  std::vector<GemmMetrics> none;
  find_bounds(kernels, none);
  EXPECT_FALSE(kernels[0].roofline.bound);
  EXPECT_EQ(kernels[1].roofline.bound, Bound::kLatency);
  EXPECT_DOUBLE_EQ(*kernels[2].roofline.share_of_bound, 2.0 / 3);
  EXPECT_FALSE(kernels[3].roofline.bound) << "communication waits for others";
}

}  // namespace
}  // namespace tauprof
