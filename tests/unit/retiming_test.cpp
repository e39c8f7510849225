#include "undisturbed/retiming.h"

#include "trace_builder.h"

namespace tauprof {
namespace {

// Everything of a trace at other times.
class RetimingTest : public testing::Test {
 protected:
  // The call, as built, would be from `start` to `end`.
  void moves(uint32_t call, Nanoseconds start, Nanoseconds end) {
    const HostCall& was = trace().calls[call];
    retiming_.calls.push_back({call, {start - was.start, end - was.end}});
  }
  void moves_span(size_t span, Nanoseconds start, Nanoseconds end) {
    if (retiming_.spans.empty()) retiming_.spans.emplace_back(trace().devices.front().spans.size());
    const DeviceSpan& was = trace().devices.front().spans[span];
    retiming_.spans.front()[span] = Shift{start - was.start, end - was.end};
  }
  const ProcessTrace& retimed() {
    if (retiming_.spans.empty()) retiming_.spans.emplace_back(trace().devices.front().spans.size());
    retime(retiming_, trace());
    return trace();
  }
  ProcessTrace& trace() { return trace_ ? *trace_ : *(trace_ = &builder_.build()); }

  TraceBuilder builder_;
  Retiming retiming_;
  ProcessTrace* trace_ = nullptr;
};

TEST_F(RetimingTest, WhatLiesBetweenCallsKeepsItsPlaceThere) {
  builder_.call("cudaLaunchKernel", 0, 10);
  builder_.range("forward", 20, 40);
  builder_.call("cudaLaunchKernel", 50, 60);
  moves(0, 0, 8);
  moves(1, 28, 38);
  const ProcessTrace& is = retimed();
  EXPECT_EQ(is.calls[0].end, 8);
  EXPECT_EQ(is.calls[1].start, 28);
  EXPECT_EQ(is.ranges[0].start, 13);
  EXPECT_EQ(is.ranges[0].end, 23);
}

TEST_F(RetimingTest, WhatLiesOutsideOfAllCallsMovesWithTheNext) {
  builder_.range("first", 10, 20);
  builder_.call("cudaLaunchKernel", 100, 110);
  builder_.range("last", 120, 130);
  moves(0, 70, 75);
  const ProcessTrace& is = retimed();
  EXPECT_EQ(is.ranges[0].start, -20);
  EXPECT_EQ(is.ranges[1].end, 95);
}

TEST_F(RetimingTest, ACallInsideOfAnotherMovesWithIt) {
  builder_.call("cublasGemmEx", 100, 200);
  builder_.call("cudaLaunchKernel", 150, 160);
  moves(0, 100, 150);
  const HostCall& is = retimed().calls[1];
  EXPECT_EQ(is.start, 125);
  EXPECT_EQ(is.end, 130);
}

TEST_F(RetimingTest, AThreadWithoutCallsKeepsToTheOneThatLaunchesMost) {
  builder_.call("cudaLaunchKernel", 0, 10);
  builder_.call("cudaLaunchKernel", 110, 120);
  builder_.switch_thread("other");
  builder_.call("cudaLaunchKernel", 0, 10);
  builder_.switch_thread("loader");
  builder_.range("load", 60, 60);
  moves(0, 0, 10);
  moves(1, 60, 70);
  moves(2, 500, 510);
  EXPECT_EQ(retimed().ranges[0].start, 35);
}

TEST_F(RetimingTest, TimeNeverGoesBackOnAThread) {
  builder_.call("cudaLaunchKernel", 0, 10);
  builder_.call("cudaLaunchKernel", 20, 30);
  moves(0, 0, 40);
  moves(1, 5, 15);
  const ProcessTrace& is = retimed();
  EXPECT_EQ(is.calls[1].start, 40);
  EXPECT_EQ(is.calls[1].end, 40);
}

TEST_F(RetimingTest, SpansThatOvertakeEachOtherAreSortedAnew) {
  builder_.call("cudaLaunchKernel", 0, 5);
  builder_.span(10, 20, 1);
  builder_.span(30, 40, 2);
  trace().devices.front().span_order = {0, 1};
  trace().bandwidths = {{1, 10, 5.0}, {2, 30, 7.0}};
  moves(0, 0, 5);
  moves_span(0, 35, 45);
  moves_span(1, 12, 22);
  const DeviceTrace& is = retimed().devices.front();
  EXPECT_EQ(is.spans[0].start, 12);
  EXPECT_EQ(is.spans[0].stream, 1u);
  EXPECT_EQ(is.spans[1].end, 45);
  EXPECT_EQ(is.span_order, (std::vector<uint32_t>{1, 0}));
  EXPECT_EQ(trace().bandwidths[0].start, 12);
  EXPECT_EQ(trace().bandwidths[0].correlation, 2u) << "the bandwidth of a copy follows it";
}

TEST_F(RetimingTest, ASpanThatIsNoWorkMovesWithTheHost) {
  builder_.call("cudaDeviceSynchronize", 0, 100);
  builder_.synchronization(20, 80);
  moves(0, 0, 50);
  const DeviceSpan& is = retimed().devices.front().spans[0];
  EXPECT_EQ(is.start, 10);
  EXPECT_EQ(is.end, 40);
}

TEST_F(RetimingTest, WhatAThreadTakesLessIsItsWorkAndAStallStays) {
  builder_.call("cudaLaunchKernel", 1000, 1010);
  builder_.call("cudaLaunchKernel", 1050, 1060);  // not read
  builder_.call("cudaLaunchKernel", 1100, 1110);
  builder_.call("cudaLaunchKernel", 1200, 1210);
  builder_.cpu_clock(1000, 500);
  builder_.cpu_clock(1100, 580);
  builder_.cpu_clock(1200, 680);
  moves(0, 1000, 1010);
  moves(2, 1050, 1060);
  moves(3, 1150, 1160);
  const ProcessTrace& is = retimed();
  ASSERT_EQ(is.cpu_readings.size(), 3);
  EXPECT_EQ(is.cpu_readings[0].cpu, 500);
  EXPECT_EQ(is.cpu_readings[1].cpu, 530) << "20 of 100 off the processor, then 20 of 50";
  EXPECT_EQ(is.cpu_readings[1].time, 1050);
  EXPECT_EQ(is.cpu_readings[2].cpu, 630);
}

TEST_F(RetimingTest, ABlockingCallThatTakesLessIsNoWork) {
  builder_.call("cudaStreamSynchronize", 1000, 1100);
  builder_.call("cudaLaunchKernel", 1200, 1210);
  builder_.cpu_clock(1000, 500);
  builder_.cpu_clock(1100, 590);  // it spins
  builder_.cpu_clock(1200, 600);  // a pause
  moves(0, 1000, 1040);
  moves(1, 1140, 1150);
  const std::vector<CpuReading>& is = retimed().cpu_readings;
  ASSERT_EQ(is.size(), 3);
  EXPECT_EQ(is[1].time, 1040);
  EXPECT_EQ(is[1].cpu, 540) << "no more than the call takes";
  EXPECT_EQ(is[2].cpu, 550) << "the pause stays";
}

TEST_F(RetimingTest, NothingToMoveLeavesTheTraceAsItIs) {
  builder_.call("cudaLaunchKernel", 1000, 1010);
  retime({}, trace());
  EXPECT_EQ(trace().calls[0].start, 1000);
  EXPECT_EQ(retiming_of("a.tauprof", nullptr), nullptr);
  const Retimings known{{"a.tauprof", {}}};
  EXPECT_NE(retiming_of("a.tauprof", &known), nullptr);
  EXPECT_EQ(retiming_of("b.tauprof", &known), nullptr);
}

}  // namespace
}  // namespace tauprof
