// Which edge let an operation go last, told from times that could be due to several.
#include "replay/edge_lags.h"

#include "replay/process_operations.h"
#include "trace_builder.h"

namespace tauprof {
namespace {

class LastEdgeTest : public testing::Test {
 protected:
  // The kind of the edge that let the span go last, with these lags.
  std::optional<EdgeKind> last_edge_of(uint32_t span) {
    ProcessOperations process = process_operations(trace_.build());
    process.lags.front() = {};
    process.lags.front()[static_cast<size_t>(EdgeKind::kStream)] = 1 * kMicro;
    process.lags.front()[static_cast<size_t>(EdgeKind::kLaunch)] = 5 * kMicro;
    process.lags.front()[static_cast<size_t>(EdgeKind::kEvent)] = 2 * kMicro;
    const std::optional<uint32_t> last = last_edge(process, span);
    if (!last) return std::nullopt;
    return process.edges[process.first_edge[span] + *last].kind;
  }
  void launch(Nanoseconds start, Nanoseconds end) {
    trace_.call("cudaLaunchKernel", start * kMicro, end * kMicro).stream = 7;
  }
  uint32_t kernel(Nanoseconds start, Nanoseconds end) { return trace_.span(start * kMicro, end * kMicro, 7); }

  TraceBuilder trace_;
};

TEST_F(LastEdgeTest, AKernelLaunchedLongBeforeWaitsForItsStream) {
  launch(10, 12);
  kernel(20, 120);
  launch(13, 15);
  EXPECT_EQ(last_edge_of(kernel(130, 140)), EdgeKind::kStream);
}

TEST_F(LastEdgeTest, AKernelLaunchedLongAfterTheOneBeforeWaitsForItsLaunch) {
  launch(10, 12);
  kernel(20, 30);
  launch(200, 202);
  EXPECT_EQ(last_edge_of(kernel(206, 210)), EdgeKind::kLaunch);
}

// By its start alone, the call seems to have let the kernel go before the stream did.
TEST_F(LastEdgeTest, AKernelThatStartsInsideOfItsLongCallWaitsForThat) {
  launch(10, 12);
  kernel(20, 120);
  launch(100, 190);
  EXPECT_EQ(last_edge_of(kernel(160, 170)), EdgeKind::kLaunch);
}

TEST_F(LastEdgeTest, AKernelThatStartsInsideOfItsCallAtOnceBehindTheOneBeforeWaitsForThat) {
  launch(10, 12);
  kernel(20, 120);
  launch(100, 190);
  EXPECT_EQ(last_edge_of(kernel(121, 130)), EdgeKind::kStream);
}

// Its call returns when the copy is over, whatever it waited for.
TEST_F(LastEdgeTest, ABlockingCopyWaitsForItsStream) {
  launch(10, 12);
  kernel(20, 120);
  trace_.call("cudaMemcpy", 20 * kMicro, 190 * kMicro).stream = 7;
  EXPECT_EQ(last_edge_of(kernel(135, 180)), EdgeKind::kStream);
}

TEST_F(LastEdgeTest, WorkBehindAFunctionOfTheHostWaitsForWhatNobodySees) {
  launch(10, 12);
  kernel(20, 120);
  trace_.call("cudaLaunchHostFunc", 13 * kMicro, 14 * kMicro).stream = 7;
  launch(15, 17);
  EXPECT_EQ(last_edge_of(kernel(5000, 5100)), std::nullopt);
}

}  // namespace
}  // namespace tauprof
