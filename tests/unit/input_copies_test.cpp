// Copies of input: which of them the host waits for, and which are in line with kernels.
#include "metrics/input/input_copies.h"

#include <gtest/gtest.h>

#include "metrics/efficiency/gemm_alignment.h"
#include "trace_builder.h"

namespace tauprof {
namespace {

constexpr int64_t kComputes = 7, kCopies = 8;

// One step of 1000 ns.
class InputCopiesTest : public testing::Test {
 protected:
  void Copy(Nanoseconds call_start, Nanoseconds call_end, Nanoseconds start, Nanoseconds end, int64_t stream,
            CallClass call_class = CallClass::kCopy) {
    HostCall& call = builder_.call("cudaMemcpyAsync", call_start, call_end);
    call.call_class = call_class;
    call.is_input_copy = true;
    builder_.span(start, end, stream);
    classes_.push_back(SpanClass::kCopy);
  }
  void Kernel(Nanoseconds call_start, Nanoseconds start, Nanoseconds end) {
    builder_.call("cudaLaunchKernel", call_start, call_start + 2).call_class = CallClass::kKernel;
    builder_.span(start, end, kComputes);
    classes_.push_back(SpanClass::kCompute);
  }
  void Synchronize(Nanoseconds start, Nanoseconds end) {
    builder_.call("cudaStreamSynchronize", start, end).call_class = CallClass::kSync;
  }
  InputCopies Copies() {
    ProcessTrace& trace = builder_.build();
    for (size_t i = 0; i < classes_.size(); ++i) trace.devices.front().spans[i].span_class = classes_[i];
    std::vector<RankStep> steps(1);
    steps[0].device = {0, 1000};
    total_input_copies(trace, trace.devices.front(), steps);
    return steps[0].input_copies;
  }

  TraceBuilder builder_;
  std::vector<SpanClass> classes_;
};

TEST_F(InputCopiesTest, ACopyWhoseCallReturnsAtOnceIsNotAwaited) {
  Copy(10, 12, 20, 80, kCopies);
  Kernel(30, 100, 300);
  const InputCopies copies = Copies();
  EXPECT_EQ(copies.count, 1u);
  EXPECT_EQ(copies.awaited, 0u);
  EXPECT_EQ(copies.in_line, 0u);
  EXPECT_EQ(copies.total, 60);
}

TEST_F(InputCopiesTest, ACallThatTakesUntilItsCopyIsDoneCopiesPageableMemory) {
  Copy(10, 85, 20, 80, kComputes, CallClass::kAwaitedCopy);
  Kernel(90, 100, 300);
  const InputCopies copies = Copies();
  EXPECT_EQ(copies.awaited, 1u);
  EXPECT_EQ(copies.pageable, 1u);
  EXPECT_EQ(copies.in_line, 1u);
}

TEST_F(InputCopiesTest, ASynchronisationRightBehindACopyWaitsForIt) {
  Copy(10, 12, 20, 80, kComputes);
  Synchronize(13, 82);
  Kernel(90, 100, 300);
  Synchronize(110, 310);
  const InputCopies copies = Copies();
  EXPECT_EQ(copies.awaited, 1u);
  EXPECT_EQ(copies.pageable, 0u);
}

TEST(GemmAlignmentTest, SizesAreMultiplesOf16Bytes) {
  GemmShape shape;
  shape.m = 4096, shape.n = 50257, shape.k = 1024;
  EXPECT_TRUE(is_misaligned(shape, Precision::kBf16));
  EXPECT_FALSE(is_misaligned(shape, Precision::kFp32));
  shape.n = 50264;
  EXPECT_FALSE(is_misaligned(shape, Precision::kBf16));
  EXPECT_TRUE(is_misaligned(shape, Precision::kFp8));
  shape.n = 1;  // a vector
  EXPECT_FALSE(is_misaligned(shape, Precision::kBf16));
}

}  // namespace
}  // namespace tauprof
