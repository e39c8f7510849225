#include "replay/process_operations.h"

#include "replay/changes.h"
#include "trace_builder.h"

namespace tauprof {
namespace {

// One rank whose steps are given by hand: what an operation waits for, and what becomes of a step if it is shorter.
class ProcessOperationsTest : public testing::Test {
 protected:
  void make(Nanoseconds step_end) {
    ProcessTrace& trace = trace_.build();
    trace.steps = {{0, 0, step_end}};
    for (HostCall& call : trace.calls) call.step = 0;
    for (EventUse& use : events_) trace.event_uses.push_back(use);
    process_operations_of();
  }
  void process_operations_of() {
    ranks_.resize(1);
    ranks_[0].operations = std::make_shared<ProcessOperations>(process_operations(trace_.build()));
    process_ = ranks_[0].operations.get();
  }
  // The kinds of the edges to an operation, with the names of what is before it.
  std::vector<std::pair<EdgeKind, uint32_t>> edges_of(uint32_t operation) const {
    std::vector<std::pair<EdgeKind, uint32_t>> edges;
    for (uint32_t e = process_->first_edge[operation]; e < process_->first_edge[operation + 1]; ++e)
      edges.emplace_back(process_->edges[e].kind, process_->edges[e].before);
    return edges;
  }
  uint32_t operation(std::string_view name, OperationKind kind, int skip = 0) const {
    for (uint32_t i = 0; i < process_->operations.size(); ++i)
      if (process_->operations[i].kind == kind && process_->names[process_->operations[i].name] == name && skip-- == 0)
        return i;
    return kNoIndex;
  }
  bool has_edge(uint32_t after, EdgeKind kind, uint32_t before) const {
    const auto edges = edges_of(after);
    return std::find(edges.begin(), edges.end(), std::pair(kind, before)) != edges.end();
  }

  TraceBuilder trace_;
  std::vector<EventUse> events_;
  std::vector<RankTimeline> ranks_;
  const ProcessOperations* process_ = nullptr;
};

TEST_F(ProcessOperationsTest, AKernelComesAfterItsLaunchAndTheKernelBeforeIt) {
  trace_.call("cudaLaunchKernel", 10 * kMicro, 12 * kMicro);
  const uint32_t a = trace_.span(20 * kMicro, 120 * kMicro);
  trace_.call("cudaLaunchKernel", 15 * kMicro, 17 * kMicro);
  const uint32_t b = trace_.span(121 * kMicro, 150 * kMicro);
  make(200 * kMicro);
  EXPECT_EQ(edges_of(a), (std::vector<std::pair<EdgeKind, uint32_t>>{{EdgeKind::kLaunch, 2}}));
  EXPECT_EQ(edges_of(b), (std::vector<std::pair<EdgeKind, uint32_t>>{{EdgeKind::kStream, a}, {EdgeKind::kLaunch, 4}}));
}

TEST_F(ProcessOperationsTest, AnEventOfAnotherStreamHoldsWhatIsLaunchedNext) {
  trace_.call("cudaLaunchKernel", 10 * kMicro, 12 * kMicro).stream = 7;
  const uint32_t copied = trace_.span(20 * kMicro, 120 * kMicro, 7);
  trace_.call("cudaEventRecord", 13 * kMicro, 14 * kMicro).stream = 7;
  trace_.call("cudaStreamWaitEvent", 15 * kMicro, 16 * kMicro).stream = 8;
  events_ = {{1, 99}, {2, 99}};
  trace_.call("cudaLaunchKernel", 17 * kMicro, 18 * kMicro).stream = 8;
  const uint32_t held = trace_.span(121 * kMicro, 150 * kMicro, 8);
  make(200 * kMicro);
  EXPECT_TRUE(has_edge(held, EdgeKind::kEvent, copied));
}

TEST_F(ProcessOperationsTest, TheDefaultStreamIsNotThatOfRecordsAboutTheWholeDevice) {
  trace_.call("cudaMemcpyAsync", 10 * kMicro, 12 * kMicro).stream = 7;
  const uint32_t copied = trace_.span(20 * kMicro, 120 * kMicro, 7);
  trace_.call("cudaEventRecord", 13 * kMicro, 14 * kMicro).stream = 7;
  trace_.call("cudaStreamWaitEvent", 15 * kMicro, 16 * kMicro);
  events_ = {{1, 99}, {2, 99}};
  trace_.call("cudaLaunchKernel", 17 * kMicro, 18 * kMicro);
  const uint32_t held = trace_.span(121 * kMicro, 150 * kMicro);
  trace_.build().devices.front().streams.push_back({1, 0, 0});
  make(200 * kMicro);
  EXPECT_TRUE(has_edge(held, EdgeKind::kEvent, copied));
}

TEST_F(ProcessOperationsTest, TheDefaultStreamTakesTurnsWithBlockingStreams) {
  trace_.call("cudaMemcpyAsync", 10 * kMicro, 12 * kMicro).stream = 7;
  const uint32_t copied = trace_.span(20 * kMicro, 120 * kMicro, 7);
  trace_.call("cudaLaunchKernel", 13 * kMicro, 14 * kMicro);
  const uint32_t computed = trace_.span(121 * kMicro, 150 * kMicro);
  trace_.call("cudaLaunchKernel", 15 * kMicro, 16 * kMicro);
  const uint32_t again = trace_.span(151 * kMicro, 160 * kMicro);
  trace_.call("cudaMemcpyAsync", 17 * kMicro, 18 * kMicro).stream = 7;
  const uint32_t next = trace_.span(161 * kMicro, 170 * kMicro, 7);
  trace_.call("cudaLaunchKernel_ptsz", 19 * kMicro, 20 * kMicro);
  const uint32_t of_thread = trace_.span(165 * kMicro, 180 * kMicro);
  trace_.build().devices.front().streams.front().takes_turns = true;
  make(200 * kMicro);
  EXPECT_TRUE(has_edge(computed, EdgeKind::kEvent, copied));
  EXPECT_FALSE(has_edge(again, EdgeKind::kEvent, copied));
  EXPECT_TRUE(has_edge(next, EdgeKind::kEvent, again));
  EXPECT_FALSE(has_edge(of_thread, EdgeKind::kEvent, next));
}

TEST_F(ProcessOperationsTest, WhatAFunctionOfTheHostHoldsUpIsToldFromWhatStartsLate) {
  trace_.call("cudaLaunchKernel", 10 * kMicro, 12 * kMicro).stream = 7;
  const uint32_t late = trace_.span(20 * kMicro, 120 * kMicro, 7);
  trace_.call("cudaLaunchHostFunc", 13 * kMicro, 14 * kMicro).stream = 7;
  trace_.call("cudaLaunchKernel", 17 * kMicro, 18 * kMicro).stream = 7;
  const uint32_t held = trace_.span(5000 * kMicro, 5100 * kMicro, 7);
  make(6000 * kMicro);
  EXPECT_EQ(process_->operations[late].row, LedgerRow::kIdleDeviceLatency);
  EXPECT_EQ(process_->operations[held].row, LedgerRow::kIdleDependency);
}

TEST_F(ProcessOperationsTest, ABlockingCallReturnsAfterTheWorkThatItWaitsFor) {
  trace_.call("cudaLaunchKernel", 10 * kMicro, 12 * kMicro);
  const uint32_t kernel = trace_.span(20 * kMicro, 120 * kMicro);
  trace_.call("cudaDeviceSynchronize", 15 * kMicro, 130 * kMicro);
  make(200 * kMicro);
  const uint32_t returned = operation("cudaDeviceSynchronize", OperationKind::kReturn);
  ASSERT_NE(returned, kNoIndex);
  EXPECT_TRUE(has_edge(returned, EdgeKind::kWaitFor, kernel));
  EXPECT_EQ(edges_of(returned).front().first, EdgeKind::kAlone);
}

TEST_F(ProcessOperationsTest, WhereOneStreamHasWorkASynchronisationWaitsForIt) {
  trace_.call("cudaLaunchKernel", 10 * kMicro, 12 * kMicro);
  const uint32_t kernel = trace_.span(20 * kMicro, 120 * kMicro);
  trace_.call("cudaStreamSynchronize", 15 * kMicro, 190 * kMicro);  // it noticed late, once
  make(200 * kMicro);
  const uint32_t waits = operation("cudaStreamSynchronize", OperationKind::kReturn);
  EXPECT_TRUE(has_edge(waits, EdgeKind::kWaitFor, kernel));
  EXPECT_FALSE(process_->edges[process_->first_edge[waits]].is_assumed);
}

TEST_F(ProcessOperationsTest, FreeingMemoryWaitsForTheDevice) {
  trace_.call("cudaLaunchKernel", 10 * kMicro, 12 * kMicro);
  const uint32_t kernel = trace_.span(20 * kMicro, 120 * kMicro);
  trace_.call("cudaFree", 15 * kMicro, 130 * kMicro);
  trace_.call("cudaFreeAsync", 140 * kMicro, 141 * kMicro);
  make(200 * kMicro);
  EXPECT_TRUE(has_edge(operation("cudaFree", OperationKind::kReturn), EdgeKind::kWaitFor, kernel));
  EXPECT_NE(operation("cudaFreeAsync", OperationKind::kCall), kNoIndex);
}

TEST_F(ProcessOperationsTest, ALaunchIntoAFullQueueWaitsForTheDevice) {
  constexpr int kLaunches = 700;
  for (int i = 0; i < kLaunches; ++i) trace_.synchronization(i, i);  // is no work
  uint32_t first = kNoIndex;
  for (int i = 0; i < kLaunches; ++i) {
    trace_.call("cudaLaunchKernel", i * kMicro, i * kMicro + 500);
    const Nanoseconds start = i == 0 ? 20 * kMicro : (1000 + 2 * i) * kMicro;
    const uint32_t kernel = trace_.span(start, i == 0 ? 1000 * kMicro : start + kMicro);
    if (i == 0) first = kernel - kLaunches;  // synchronisations are no operations
  }
  trace_.call("cudaLaunchKernel", kLaunches * kMicro, 1001 * kMicro);
  trace_.span(3000 * kMicro, 3001 * kMicro);
  make(4000 * kMicro);
  const uint32_t returned = operation("cudaLaunchKernel", OperationKind::kReturn);
  ASSERT_NE(returned, kNoIndex);
  EXPECT_TRUE(has_edge(returned, EdgeKind::kWaitFor, first));
}

TEST_F(ProcessOperationsTest, AThreadThatSleepsWhileAnotherLaunchesWaitsForIt) {
  trace_.call("cudaLaunchKernel", 10 * kMicro, 12 * kMicro);
  trace_.span(20 * kMicro, 30 * kMicro);
  trace_.call("cudaMemsetAsync", 900 * kMicro, 902 * kMicro);
  trace_.switch_thread("autograd");
  trace_.call("cudaLaunchKernelExC", 15 * kMicro, 17 * kMicro);
  trace_.span(31 * kMicro, 40 * kMicro);
  trace_.call("cuLaunchKernel", 880 * kMicro, 882 * kMicro);
  trace_.span(885 * kMicro, 890 * kMicro);
  make(1000 * kMicro);
  const uint32_t woken = operation("cudaMemsetAsync", OperationKind::kBetween);
  EXPECT_TRUE(has_edge(woken, EdgeKind::kTurn, operation("cuLaunchKernel", OperationKind::kCall)));
  const uint32_t started = operation("cudaLaunchKernelExC", OperationKind::kBetween);
  EXPECT_TRUE(has_edge(started, EdgeKind::kTurn, operation("cudaLaunchKernel", OperationKind::kCall)));
  EXPECT_EQ(process_->times[woken].length(), 18 * kMicro);
}

// The main thread is stalled for 800 us in each step; in the last one a checkpoint's thread works meanwhile.
TEST_F(ProcessOperationsTest, AThreadThatIsAsSilentInStepsWithoutTheOtherDoesNotWaitForIt) {
  constexpr int kSteps = 4;
  for (int step = 0; step < kSteps; ++step) {
    const Nanoseconds at = step * 1000 * kMicro;
    trace_.call("cudaLaunchKernel", at + 10 * kMicro, at + 12 * kMicro).step = step;
    trace_.span(at + 20 * kMicro, at + 30 * kMicro);
    trace_.call("cudaMemsetAsync", at + 812 * kMicro, at + 814 * kMicro).step = step;
  }
  const Nanoseconds last = (kSteps - 1) * 1000 * kMicro;
  trace_.switch_thread("checkpoint");
  trace_.call("cudaLaunchKernelExC", last + 15 * kMicro, last + 17 * kMicro).step = kSteps - 1;
  trace_.span(last + 31 * kMicro, last + 40 * kMicro);
  trace_.call("cudaStreamSynchronize", last + 100 * kMicro, last + 700 * kMicro).step = kSteps - 1;
  trace_.build().steps.assign(kSteps, {});
  process_operations_of();
  const uint32_t silent = operation("cudaMemsetAsync", OperationKind::kBetween, kSteps - 1);
  EXPECT_EQ(process_->times[silent].length(), 800 * kMicro);
}

// Main launches for a few microseconds, and is stalled for about 800 before autograd's thread goes on. Where another
// call of main's comes in the midst of autograd's, autograd may as well have been at work by itself: that it waited is
// only assumed.
class SilenceBeforeAHandOver : public ProcessOperationsTest, public testing::WithParamInterface<bool> {};

TEST_P(SilenceBeforeAHandOver, IsTheOthersForCertainIfThreadsAlternate) {
  const bool alternates = GetParam();
  constexpr int kSteps = 4;
  for (int step = 0; step < kSteps; ++step) {
    const Nanoseconds at = (step * 1000 + step % 2 * 20) * kMicro, goes_on = at + (800 + step) * kMicro;
    trace_.switch_thread("main");
    trace_.call("cudaLaunchKernel", at + 10 * kMicro, at + 12 * kMicro).step = step;
    trace_.span(at + 20 * kMicro, at + 30 * kMicro);
    if (!alternates) trace_.call("cudaMemsetAsync", goes_on + 10 * kMicro, goes_on + 11 * kMicro).step = step;
    trace_.switch_thread("autograd");
    trace_.call("cudaLaunchKernelExC", goes_on, goes_on + 5 * kMicro).step = step;
    trace_.span(goes_on + 6 * kMicro, goes_on + 20 * kMicro);
    trace_.call("cuLaunchKernel", goes_on + 25 * kMicro, goes_on + 30 * kMicro).step = step;
    trace_.span(goes_on + 31 * kMicro, goes_on + 50 * kMicro);
  }
  trace_.build().steps.assign(kSteps, {});
  process_operations_of();
  const uint32_t silent = operation("cudaLaunchKernelExC", OperationKind::kBetween, 1);
  EXPECT_TRUE(has_edge(silent, EdgeKind::kTurn, operation("cudaLaunchKernel", OperationKind::kCall, 1)));
  EXPECT_EQ(process_->edges[process_->first_edge[silent + 1] - 1].is_assumed, !alternates);
}

INSTANTIATE_TEST_SUITE_P(, SilenceBeforeAHandOver, testing::Bool());

// A loader's thread copies once a step, each time about as long after main's first call as after its own last copy.
TEST_F(ProcessOperationsTest, AThreadThatAnotherMayHaveWokenIsAssumedToWait) {
  constexpr int kSteps = 4;
  for (int step = 0; step < kSteps; ++step) {
    const Nanoseconds at = (step * 1000 + step % 2 * 6) * kMicro;
    trace_.switch_thread("main");
    for (int call = 0; call < 8; ++call) {
      const Nanoseconds launch = at + (10 + call * 100 + (call > 0 ? 7 * step * step : 0)) * kMicro;
      trace_.call("cudaLaunchKernel", launch, launch + 2 * kMicro).step = step;
      trace_.span(launch + 10 * kMicro, launch + 20 * kMicro);
    }
    trace_.switch_thread("loader");
    const Nanoseconds copies = at + (350 + step) * kMicro;
    trace_.call("cudaMemcpyAsync", copies, copies + 5 * kMicro).step = step;
    trace_.span(copies + 6 * kMicro, copies + 20 * kMicro);
  }
  trace_.build().steps.assign(kSteps, {});
  process_operations_of();
  const uint32_t silent = operation("cudaMemcpyAsync", OperationKind::kBetween, 1);
  const OperationEdge last = process_->edges[process_->first_edge[silent + 1] - 1];
  EXPECT_EQ(last.kind, EdgeKind::kTurn);
  EXPECT_TRUE(last.is_assumed);
  EXPECT_EQ(process_->names[process_->operations[last.before].name], "cudaLaunchKernel");
}

// Autograd's thread goes on right after main in each step; in one, a loader's call ends a little later than main's.
TEST_F(ProcessOperationsTest, AThreadWaitsForTheSameOtherInEachStep) {
  constexpr int kSteps = 4, kWithLoader = 2;
  for (int step = 0; step < kSteps; ++step) {
    const Nanoseconds at = (step * 1000 + step % 2 * 60) * kMicro;
    trace_.switch_thread("main");
    trace_.call("cudaLaunchKernel", at + 10 * kMicro, at + 12 * kMicro).step = step;
    trace_.span(at + 20 * kMicro, at + 30 * kMicro);
    trace_.switch_thread("autograd");
    trace_.call("cudaLaunchKernelExC", at + 32 * kMicro, at + 35 * kMicro).step = step;
    trace_.span(at + 36 * kMicro, at + 50 * kMicro);
    trace_.switch_thread("loader");
    const Nanoseconds loaded = at + (step == kWithLoader ? 20 : 600) * kMicro;
    trace_.call("cudaMemcpyAsync", loaded, loaded + 5 * kMicro).step = step;
    trace_.span(loaded + 60 * kMicro, loaded + 65 * kMicro);
  }
  trace_.build().steps.assign(kSteps, {});
  process_operations_of();
  for (int step = 1; step < kSteps; ++step) {
    const uint32_t woken = operation("cudaLaunchKernelExC", OperationKind::kBetween, step);
    EXPECT_TRUE(has_edge(woken, EdgeKind::kTurn, operation("cudaLaunchKernel", OperationKind::kCall, step))) << step;
    EXPECT_EQ(process_->times[woken].length(), 20 * kMicro) << step;
  }
}

// Main is stalled in two of six steps, in each of which a loader happens to call.
TEST_F(ProcessOperationsTest, AThreadThatIsSilentOnceOrTwiceWaitsForNoOther) {
  constexpr int kSteps = 6;
  for (int step = 0; step < kSteps; ++step) {
    const Nanoseconds at = step * 2000 * kMicro, stall = step % 3 == 1 ? 400 * kMicro : 0;
    trace_.switch_thread("main");
    trace_.call("cudaLaunchKernel", at + 10 * kMicro, at + 12 * kMicro).step = step;
    trace_.span(at + 20 * kMicro, at + 30 * kMicro);
    trace_.call("cudaMemsetAsync", at + 22 * kMicro + stall, at + 24 * kMicro + stall).step = step;
    trace_.switch_thread("loader");
    trace_.call("cudaMemcpyAsync", at + 100 * kMicro, at + 395 * kMicro).step = step;
    trace_.span(at + 396 * kMicro, at + 399 * kMicro);
  }
  trace_.build().steps.assign(kSteps, {});
  process_operations_of();
  EXPECT_EQ(process_->times[operation("cudaMemsetAsync", OperationKind::kBetween, 1)].length(), 410 * kMicro);
}

TEST_F(ProcessOperationsTest, AShortSilenceIsTheThreadsOwn) {
  trace_.call("cudaLaunchKernel", 10 * kMicro, 12 * kMicro);
  trace_.span(20 * kMicro, 30 * kMicro);
  trace_.call("cudaMemsetAsync", 100 * kMicro, 102 * kMicro);
  trace_.switch_thread("prefetch");
  trace_.call("cudaLaunchKernelExC", 15 * kMicro, 95 * kMicro);
  trace_.span(31 * kMicro, 40 * kMicro);
  make(1000 * kMicro);
  const uint32_t between = operation("cudaMemsetAsync", OperationKind::kBetween);
  EXPECT_EQ(process_->times[between].length(), 88 * kMicro);
}

class SilenceUntilTheDeviceIsDone : public ProcessOperationsTest, public testing::WithParamInterface<int> {};

// In these first steps the host goes on right when the device is done, in the others long before.
TEST_P(SilenceUntilTheDeviceIsDone, IsAWaitIfItIsOneInMostSteps) {
  constexpr int kSteps = 4;
  uint32_t kernel = kNoIndex;
  for (int step = 0; step < kSteps; ++step) {
    const Nanoseconds at = step * 1000 * kMicro, next = at + (step < GetParam() ? 340 : 20) * kMicro;
    trace_.call("cudaLaunchKernel", at + 10 * kMicro, at + 12 * kMicro);
    const uint32_t own = trace_.span(at + 20 * kMicro, at + 320 * kMicro);
    if (step == 0) kernel = own;
    trace_.call("cudaMemsetAsync", next, next + 2 * kMicro);
  }
  trace_.build().steps.assign(kSteps, {});
  process_operations_of();
  const uint32_t silent = operation("cudaMemsetAsync", OperationKind::kBetween);
  EXPECT_EQ(has_edge(silent, EdgeKind::kTurn, kernel), 2 * GetParam() >= kSteps);
  EXPECT_EQ(process_->times[silent].length(), (2 * GetParam() >= kSteps ? 20 : 328) * kMicro);
}

INSTANTIATE_TEST_SUITE_P(, SilenceUntilTheDeviceIsDone, testing::Values(1, 2, 4));

// The device takes 10 us longer from step to step, and is done shortly before the host goes on.
class SilenceNextToTheDevicesEnd : public ProcessOperationsTest, public testing::WithParamInterface<bool> {};

TEST_P(SilenceNextToTheDevicesEnd, IsAWaitIfItIsAsLongAsTheDeviceTakes) {
  const bool follows_device = GetParam();
  constexpr int kSteps = 4;
  uint32_t kernel = kNoIndex;
  for (int step = 0; step < kSteps; ++step) {
    const Nanoseconds at = step * 1000 * kMicro, done = at + (300 + 10 * step) * kMicro;
    trace_.call("cudaLaunchKernel", at + 10 * kMicro, at + 12 * kMicro);
    const uint32_t own = trace_.span(at + 20 * kMicro, done);
    if (step == 0) kernel = own;
    const Nanoseconds next = follows_device ? done + 10 * kMicro : at + 340 * kMicro;
    trace_.call("cudaMemsetAsync", next, next + 2 * kMicro);
  }
  trace_.build().steps.assign(kSteps, {});
  process_operations_of();
  const uint32_t silent = operation("cudaMemsetAsync", OperationKind::kBetween);
  EXPECT_EQ(has_edge(silent, EdgeKind::kTurn, kernel), follows_device);
}

INSTANTIATE_TEST_SUITE_P(, SilenceNextToTheDevicesEnd, testing::Bool());

TEST_F(ProcessOperationsTest, ThreadsOfDifferentDevicesTakeNoTurns) {
  trace_.call("cudaLaunchKernel", 10 * kMicro, 12 * kMicro);
  trace_.span(20 * kMicro, 30 * kMicro);
  trace_.call("cudaMemsetAsync", 900 * kMicro, 902 * kMicro);
  trace_.switch_thread("autograd of another device");
  trace_.call("cudaLaunchKernelExC", 15 * kMicro, 17 * kMicro).device = 1;
  trace_.call("cuLaunchKernel", 880 * kMicro, 882 * kMicro).device = 1;
  make(1000 * kMicro);
  const uint32_t silent = operation("cudaMemsetAsync", OperationKind::kBetween);
  EXPECT_EQ(process_->times[silent].length(), 888 * kMicro);
  EXPECT_EQ(edges_of(silent).size(), 1u);
}

// A loader's thread copies a batch for a step that is not recorded, while the last one still runs.
TEST_F(ProcessOperationsTest, TheLastStepLastsUntilItsOwnWorkHasEnded) {
  trace_.call("cudaLaunchKernel", 10 * kMicro, 12 * kMicro).step = 0;
  const uint32_t own = trace_.span(20 * kMicro, 900 * kMicro, 7);
  trace_.switch_thread("loader");
  trace_.call("cudaMemcpyAsync", 300 * kMicro, 302 * kMicro);
  trace_.span(310 * kMicro, 400 * kMicro, 8);
  trace_.build().steps = {{0, 0, 200 * kMicro}};
  process_operations_of();
  EXPECT_EQ(process_->steps[0].at(0).last_works, std::vector<uint32_t>{own});
}

TEST_F(ProcessOperationsTest, AShorterKernelShortensTheStepUntilTheHostHoldsIt) {
  for (Nanoseconds step = 0; step < 3; ++step) {
    const Nanoseconds at = step * 200 * kMicro;
    trace_.call("cudaLaunchKernel", at + 10 * kMicro, at + 12 * kMicro);
    trace_.span(at + 20 * kMicro, at + 120 * kMicro);
    trace_.call("cudaDeviceSynchronize", at + 15 * kMicro, at + 130 * kMicro);
  }
  ProcessTrace& trace = trace_.build();
  trace.steps = {{0, 0, 200 * kMicro}, {1, 200 * kMicro, 400 * kMicro}, {2, 400 * kMicro, 600 * kMicro}};
  trace.steps_origin = StepOrigin::kInferred;
  for (HostCall& call : trace.calls) call.step = static_cast<int32_t>(call.start / (200 * kMicro));
  ranks_.resize(1);
  ranks_[0].operations = std::make_shared<ProcessOperations>(process_operations(trace));
  StepSelection steps;
  steps.numbers = {0, 1};
  RunGraph run(ranks_, {}, steps);
  ASSERT_EQ(run.reason(), "");
  EXPECT_EQ(run.mean_step(run.measured()), 200e3);
  Changes changes(run);
  run.for_operations(0, [&](OperationId id, const OperationLabel& operation) {
    if (operation.kind == OperationKind::kCompute) changes.set_duration(id, 40 * kMicro);
  });
  EXPECT_EQ(changes.saving(), 60e3);
  Changes gone(run);
  run.for_operations(0, [&](OperationId id, const OperationLabel& operation) {
    if (operation.kind == OperationKind::kReturn) gone.remove(id);
  });
  // The host is 80 µs from one launch to the next without the calls; the device needs 101.
  EXPECT_NEAR(gone.saving(), 100e3, 10e3);
}

// A step of 200 µs copies 120 µs from the host and computes 40 µs, one after the other.
TEST_F(ProcessOperationsTest, AStepTakesAtLeastAsLongAsItsCopiesWhateverRunsBesideThem) {
  for (Nanoseconds step = 0; step < 3; ++step) {
    const Nanoseconds at = step * 200 * kMicro;
    trace_.call("cudaMemcpyAsync", at + 10 * kMicro, at + 12 * kMicro).call_class = CallClass::kCopy;
    trace_.span(at + 20 * kMicro, at + 140 * kMicro);
    trace_.call("cudaLaunchKernel", at + 15 * kMicro, at + 17 * kMicro);
    trace_.span(at + 141 * kMicro, at + 181 * kMicro);
    trace_.call("cudaDeviceSynchronize", at + 20 * kMicro, at + 190 * kMicro);
  }
  ProcessTrace& trace = trace_.build();
  for (size_t i = 0; i < trace.devices.front().spans.size(); i += 2) {
    trace.devices.front().spans[i].span_class = SpanClass::kCopy;
    trace.devices.front().spans[i].copy_kind = log::CopyKind::kHostToDevice;
  }
  trace.steps = {{0, 0, 200 * kMicro}, {1, 200 * kMicro, 400 * kMicro}, {2, 400 * kMicro, 600 * kMicro}};
  trace.steps_origin = StepOrigin::kInferred;
  for (HostCall& call : trace.calls) call.step = static_cast<int32_t>(call.start / (200 * kMicro));
  ranks_.resize(1);
  ranks_[0].operations = std::make_shared<ProcessOperations>(process_operations(trace));
  StepSelection steps;
  steps.numbers = {0, 1};
  RunGraph run(ranks_, {}, steps);
  ASSERT_EQ(run.reason(), "");
  for (const bool is_rate_known : {true, false}) {
    Changes changes(run);
    run.for_operations(0, [&](OperationId id, const OperationLabel& operation) {
      if (operation.kind == OperationKind::kCopy) changes.run_beside(0, id, operation, is_rate_known);
    });
    EXPECT_EQ(changes.slow_copies_ns(), 120e3);
    const double step = changes.replayed().step_ns;
    EXPECT_EQ(step == 120e3, is_rate_known) << step;
    EXPECT_LE(step, 120e3);
  }
}

}  // namespace
}  // namespace tauprof
