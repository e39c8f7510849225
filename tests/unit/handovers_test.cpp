#include "replay/handovers.h"

#include <algorithm>
#include <string_view>

#include "replay/process_operations.h"
#include "trace_builder.h"

namespace tauprof {
namespace {

constexpr int64_t kCompute = 7, kInput = 8;

// A loader's thread copies batches, and main holds its stream for them. Handles say which event a wait is for.
class HandoversTest : public testing::Test {
 protected:
  void copy_batch(int step, Nanoseconds time) {
    trace_.switch_thread("loader");
    HostCall& copy = trace_.call("cudaMemcpyAsync", time, time + 5 * kMicro);
    copy.step = step;
    copy.stream = kInput;
    trace_.span(time + 6 * kMicro, time + 20 * kMicro, kInput);
    trace_.call("cudaEventRecord", time + 6 * kMicro, time + 7 * kMicro).stream = kInput;
  }
  void take_batch(int step, Nanoseconds time) {
    trace_.switch_thread("main");
    trace_.call("cudaStreamWaitEvent", time, time + kMicro).stream = kCompute;
    launch("cudaLaunchKernel", step, time + 5 * kMicro);
  }
  void launch(std::string_view function, int step, Nanoseconds time) {
    HostCall& call = trace_.call(function, time, time + 2 * kMicro);
    call.step = step;
    call.stream = kCompute;
    trace_.span(time + 30 * kMicro, time + 40 * kMicro, kCompute);
  }
  // The n-th wait is for the n-th event.
  void find(size_t steps) {
    ProcessTrace& trace = trace_.build();
    trace.steps.assign(steps, {});
    int64_t recorded = 0, awaited = 0;
    for (uint32_t i = 0; i < trace.calls.size(); ++i) {
      const std::string_view function = trace.names[trace.calls[i].function];
      if (function == "cudaEventRecord") trace.event_uses.push_back({i, 100 + recorded++});
      if (function == "cudaStreamWaitEvent") trace.event_uses.push_back({i, 100 + awaited++});
    }
    process_ = process_operations(trace);
  }
  uint32_t operation(std::string_view name, OperationKind kind, int skip) const {
    for (uint32_t i = 0; i < process_.operations.size(); ++i)
      if (process_.operations[i].kind == kind && process_.names[process_.operations[i].name] == name && skip-- == 0)
        return i;
    return kNoIndex;
  }
  // An edge for certain.
  bool is_turn(uint32_t after, uint32_t before) const {
    return std::any_of(process_.edges.begin() + process_.first_edge[after],
                       process_.edges.begin() + process_.first_edge[after + 1], [&](const OperationEdge& edge) {
                         return edge.kind == EdgeKind::kTurn && edge.before == before && !edge.is_assumed;
                       });
  }

  TraceBuilder trace_;
  ProcessOperations process_;
};

// Main comes 60 us after the loader is done.
TEST_F(HandoversTest, WhoTakesAThreadsWorkComesAfterItThoughItNeverHadToWait) {
  copy_batch(0, 10 * kMicro);
  trace_.switch_thread("main");
  launch("cudaMemsetAsync", 0, 40 * kMicro);
  take_batch(0, 70 * kMicro);
  find(1);
  const uint32_t taker = operation("cudaLaunchKernel", OperationKind::kBetween, 0);
  EXPECT_TRUE(is_turn(taker, operation("cudaMemcpyAsync", OperationKind::kCall, 0)));
  EXPECT_EQ(process_.times[taker].length(), 33 * kMicro);
}

// In one step main was silent for 800 us, until the loader was done. In the others it is busy.
TEST_F(HandoversTest, ASilenceThatEndsWithTheOthersCallIsAWaitForIt) {
  constexpr int kSteps = 4, kWaiting = 2;
  for (int step = 0; step < kSteps; ++step) {
    const Nanoseconds at = step * 2000 * kMicro, late = step == kWaiting ? 700 * kMicro : 0;
    copy_batch(step, at + 100 * kMicro + late);
    trace_.switch_thread("main");
    launch("cudaMemsetAsync", step, at + 3 * kMicro);
    take_batch(step, at + 107 * kMicro + late);
  }
  find(kSteps);
  const uint32_t taker = operation("cudaLaunchKernel", OperationKind::kBetween, kWaiting);
  EXPECT_TRUE(is_turn(taker, operation("cudaMemcpyAsync", OperationKind::kCall, kWaiting)));
  EXPECT_EQ(process_.times[taker].length(), 7 * kMicro);
}

// The next batch is copied about 600 us after main took the one before; a checkpoint's call 150 us after that.
TEST_F(HandoversTest, AThreadThatIsSilentBeyondTheTakingOfItsWorkWaitedForThat) {
  constexpr int kSteps = 4;
  for (int step = 0; step < kSteps; ++step) {
    const Nanoseconds at = step * 1000 * kMicro;
    const Nanoseconds preparing = (600 + (step % 2 == 0 ? 1 : -1) * 20 * step) * kMicro;
    if (step == 0) copy_batch(0, 10 * kMicro);
    take_batch(step, at + 100 * kMicro);
    trace_.switch_thread("checkpoint");
    launch("cudaMemsetAsync", step, at + 250 * kMicro);
    copy_batch(step, at + 100 * kMicro + preparing);
  }
  find(kSteps);
  for (int step = 1; step < kSteps; ++step)
    EXPECT_TRUE(is_turn(operation("cudaMemcpyAsync", OperationKind::kBetween, step + 1),
                        operation("cudaLaunchKernel", OperationKind::kCall, step)))
        << step;
}

TEST(Handovers, AreCertainBetweenThreadsOfWhichASilenceShowsIt) {
  // Calls 1 and 3 give, until 105 and 5,000 us; 2 and 4 take.
  const std::vector<Interval> times = {{0, 100 * kMicro},
                                       {100 * kMicro, 105 * kMicro},
                                       {300 * kMicro, 300 * kMicro},
                                       {300 * kMicro, 5'000 * kMicro},
                                       {305 * kMicro, 5'020 * kMicro}};
  const Handover early{2, 1, 0, 1, {}, true};
  const Handover late{4, 3, 0, 1, {305 * kMicro, 5'010 * kMicro}, true};
  std::vector<Handover> alone = {early}, both = {early, late};
  test_handovers(alone, times);
  EXPECT_TRUE(alone[0].is_assumed);
  test_handovers(both, times);
  EXPECT_FALSE(both[0].is_assumed);
  EXPECT_FALSE(both[1].is_assumed);
}

TEST(Handovers, TellNothingOfCallsBeforeAKnownOne) {
  const Handover first{4, 1, 0, 1, {}, true}, later{4, 3, 0, 1, {}, true}, repeated{6, 3, 0, 1, {}, true};
  const std::vector<Handover> telling = telling_handovers({later, first, repeated}, std::vector<Interval>(7));
  ASSERT_EQ(telling.size(), 1);
  EXPECT_EQ(telling[0].giver, 3);
}

TEST(Handovers, StayCertainBesideALaterOneThatIsAssumed) {
  const Handover certain{4, 1, 0, 1, {}, false}, assumed{4, 3, 0, 1, {}, true};
  EXPECT_EQ(telling_handovers({assumed, certain}, std::vector<Interval>(5)).size(), 2);
}

// Call 3 ended after the taker had begun, so no edge can come from it.
TEST(Handovers, AreNotHiddenByOneThatGivesNoEdge) {
  const std::vector<Interval> times = {{}, {0, 90}, {}, {91, 150}, {100, 200}};
  const std::vector<Handover> telling = telling_handovers({{4, 3, 0, 1, {}, true}, {4, 1, 0, 1, {}, true}}, times);
  ASSERT_EQ(telling.size(), 1);
  EXPECT_EQ(telling[0].giver, 1);
}

// A stream that takes turns with the default stream waits, too.
TEST(Handovers, AreOnlyOfWorkForWhichAStreamWasToldToWait) {
  Launches launches(4);
  launches.add(0, 10, 1, std::nullopt);
  launches.add(1, 20, 0, std::nullopt);
  launches.add(2, 30, 0, Interval{});
  std::vector<Handover> found;
  launches.find_handover(1, 0, false, found);
  EXPECT_TRUE(found.empty());
  launches.find_handover(2, 0, false, found);
  ASSERT_EQ(found.size(), 1);
  EXPECT_EQ(found[0].taker, 30);
  EXPECT_EQ(found[0].giver, 11);
}

}  // namespace
}  // namespace tauprof
