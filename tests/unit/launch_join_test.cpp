// Joining device spans to their calls and collectives, as the recorder writes them: a span's correlation id is the
// number of the hooked call around its launch, or CUPTI's own id with a link to that call.
#include "read/launch_join.h"

#include <gtest/gtest.h>

#include <vector>

namespace tauprof {
namespace {

constexpr uint64_t kFirst = uint64_t{1} << 40;  // the recorder's ids start here; CUPTI's have 32 bits

class LaunchJoinTest : public testing::Test {
 protected:
  LaunchJoinTest() {
    trace_.threads.resize(2);
    trace_.devices.emplace_back();
  }

  // Returns its correlation id.
  uint64_t call(CallClass call_class, Nanoseconds start, Nanoseconds end) {
    HostCall call;
    call.start = start;
    call.end = end;
    call.thread = 1;
    call.call_class = call_class;
    call.correlation = kFirst + trace_.calls.size();
    trace_.calls.push_back(call);
    return call.correlation;
  }
  uint64_t collective(Nanoseconds start, int64_t communicator, int64_t stream, int64_t group = 0) {
    CollectiveCall collective;
    collective.communicator = communicator;
    collective.stream = stream;
    collective.group = group;
    const uint64_t correlation = call(CallClass::kCollective, start, start + 10);
    trace_.calls.back().collective = static_cast<uint32_t>(trace_.collectives.size());
    trace_.collectives.push_back(collective);
    return correlation;
  }
  void span(uint64_t correlation, Nanoseconds start, int64_t stream_handle = 100) {
    auto& streams = trace_.devices[0].streams;
    DeviceSpan span;
    span.start = start;
    span.end = start + 50;
    span.activity = log::ActivityKind::kKernel;
    for (span.stream = 0; span.stream < streams.size(); ++span.stream)
      if (streams[span.stream].handle == stream_handle) break;
    if (span.stream == streams.size()) streams.push_back({1, span.stream + 7, stream_handle});
    trace_.devices[0].spans.push_back(span);
    correlations_.push_back(correlation);
  }
  void link(uint64_t correlation, uint64_t owner) { links_.emplace_back(correlation, owner); }

  void join() { LaunchJoin(trace_, links_, {}, false).join(trace_.devices[0], correlations_); }
  uint64_t call_of(size_t index) const { return trace_.calls.at(trace_.devices[0].spans[index].call).correlation; }
  uint32_t collective_of(size_t index) const { return trace_.devices[0].spans[index].collective; }

  ProcessTrace trace_;
  LaunchJoin::Links links_;
  std::vector<uint64_t> correlations_;
};

TEST_F(LaunchJoinTest, BothKernelsOfAGemmBelongToIt) {
  const uint64_t gemm = call(CallClass::kGemm, 100, 200);
  span(gemm, 300);
  span(gemm, 400);
  join();
  EXPECT_EQ(call_of(0), gemm);
  EXPECT_EQ(call_of(1), gemm);
}

TEST_F(LaunchJoinTest, ALinkMapsCuptisCorrelationIdToTheCall) {
  const uint64_t gemm = call(CallClass::kGemm, 100, 200);
  span(77, 300);
  span(78, 400);
  link(77, gemm);
  join();
  EXPECT_EQ(call_of(0), gemm);
  EXPECT_EQ(trace_.devices[0].spans[1].call, kNoIndex);
}

TEST_F(LaunchJoinTest, AKernelIsJoinedToItsCollective) {
  const uint64_t first = collective(100, 1, 100);
  const uint64_t second = collective(200, 1, 100);
  span(first, 300);
  span(second, 400);
  join();
  EXPECT_EQ(collective_of(0), 0u);
  EXPECT_EQ(collective_of(1), 1u);
}

TEST_F(LaunchJoinTest, KernelsOfAGroupBelongToItsCallsByStream) {
  collective(100, 1, 100, 9);
  collective(120, 2, 200, 9);
  const uint64_t end = call(CallClass::kGroupEnd, 140, 180);
  span(end, 300, 200);
  span(end, 310, 100);
  join();
  EXPECT_EQ(collective_of(0), 1u);
  EXPECT_EQ(collective_of(1), 0u);
  EXPECT_EQ(call_of(0), end);
}

TEST_F(LaunchJoinTest, KernelsOfAGroupOnOneStreamFollowItsCommunicators) {
  collective(100, 1, 100, 9);
  collective(110, 1, 100, 9);  // shares a kernel with the one before
  collective(120, 2, 100, 9);
  const uint64_t end = call(CallClass::kGroupEnd, 140, 180);
  span(end, 300);
  span(end, 400);
  join();
  EXPECT_EQ(collective_of(0), 0u);
  EXPECT_EQ(collective_of(1), 2u);
}

TEST_F(LaunchJoinTest, EachGroupEndLaunchesItsOwnGroup) {
  collective(100, 1, 100, 9);
  const uint64_t end = call(CallClass::kGroupEnd, 120, 130);
  collective(200, 1, 100, 10);
  const uint64_t later_end = call(CallClass::kGroupEnd, 220, 230);
  span(end, 300);
  span(later_end, 400);
  join();
  EXPECT_EQ(collective_of(0), 0u);
  EXPECT_EQ(collective_of(1), 1u);
}

TEST_F(LaunchJoinTest, ALaunchInsideACollectiveIsPartOfIt) {
  collective(100, 1, 100);
  trace_.calls.back().end = 150;
  span(call(CallClass::kKernel, 110, 120), 300);
  join();
  EXPECT_EQ(collective_of(0), 0u);
}

TEST_F(LaunchJoinTest, APlainKernelIsJoinedToNoCollective) {
  collective(100, 1, 100);
  span(call(CallClass::kKernel, 200, 210), 300);
  join();
  EXPECT_EQ(collective_of(0), kNoIndex);
}

TEST_F(LaunchJoinTest, GraphNodesShareTheirLaunch) {
  const uint64_t launch = call(CallClass::kKernel, 100, 110);
  for (Nanoseconds start : {200, 260, 330}) span(launch, start);
  join();
  for (size_t i = 0; i < 3; ++i) EXPECT_EQ(call_of(i), launch);
}

TEST_F(LaunchJoinTest, KernelsOfAGraphAreJoinedToTheCollectivesItsLaunchRepeats) {
  const uint64_t launch = call(CallClass::kKernel, 100, 150);
  for (int64_t communicator : {1, 2}) {
    collective(100, communicator, 100);
    trace_.calls.back().end = 100;
  }
  const NameId nccl = trace_.names.add("_Z29ncclDevKernel_AllReduce_Sum_f32");
  const NameId plain = trace_.names.add("adam");
  for (NameId name : {nccl, plain, nccl, nccl}) {
    span(launch, 200 + 100 * static_cast<Nanoseconds>(trace_.devices[0].spans.size()));
    trace_.devices[0].spans.back().name = name;
  }
  join();
  EXPECT_EQ(collective_of(0), 0u);
  EXPECT_EQ(collective_of(1), kNoIndex);
  EXPECT_EQ(collective_of(2), 1u);
  EXPECT_EQ(collective_of(3), kNoIndex);
}

// A checkpoint's thread has the number of the one before, which still waits.
TEST_F(LaunchJoinTest, CallsThatOneThreadCannotMakeAreOfSeveral) {
  call(CallClass::kCopy, 100, 110);
  call(CallClass::kSync, 110, 100'110);
  call(CallClass::kCopy, 50'000, 50'010);  // while the thread waits
  call(CallClass::kSync, 50'010, 150'010);
  call(CallClass::kCopy, 120'000, 120'010);
  join();
  ASSERT_EQ(trace_.threads.size(), 3u);
  ASSERT_EQ(trace_.first_call, (std::vector<uint32_t>{0, 0, 3, 5}));
  EXPECT_EQ(trace_.calls[2].start, 120'000);
  EXPECT_EQ(trace_.calls[3].start, 50'000);
  for (const HostCall& one : trace_.calls) EXPECT_EQ(one.outer, kNoIndex);
}

TEST_F(LaunchJoinTest, CallsInsideOfOthersAndTimesThatAreRoundedAreOfOneThread) {
  call(CallClass::kBlockingCopy, 0, 100'000);
  call(CallClass::kBlockingCopy, 10, 99'990);  // the driver's
  call(CallClass::kSync, 20, 90'000);
  call(CallClass::kKernel, 99'000, 105'000);
  call(CallClass::kSync, 105'000, 200'000);
  call(CallClass::kSync, 105'010, 199'000);
  join();
  EXPECT_EQ(trace_.threads.size(), 2u);
  EXPECT_EQ(trace_.calls[1].outer, 0u);
}

}  // namespace
}  // namespace tauprof
