// A rank without device times: its steps and its collectives are those of the host, and the reason is named.
#include <gtest/gtest.h>

#include "classify/span_classes.h"
#include "metrics/calls/call_table.h"
#include "metrics/run/run_metrics.h"
#include "metrics/run/timeline_of_rank.h"
#include "run_builder.h"
#include "trace_builder.h"

namespace tauprof {
namespace {

// One process that launched work, in three steps of 100 ns each.
class UntimedRank : public testing::Test {
 protected:
  UntimedRank() {
    Communicator& world = Trace().communicators[1];
    world.identity = 7;
    world.size = 2;
    world.rank = 1;
  }

  ProcessTrace& Trace() { return builder_.build(); }

  void Collective(Nanoseconds start, Nanoseconds end, int64_t sequence, int64_t group = 0) {
    HostCall& call = builder_.call("ncclAllReduce", start, end, Phase::kBackward);
    call.call_class = CallClass::kCollective;
    collectives_.push_back({});
    CollectiveCall& made = collectives_.back();
    made.communicator = 1;
    made.sequence = sequence;
    made.count = 1000;
    made.datatype = log::DataType::kFloat32;
    made.operation = log::Operation::kAllReduce;
    made.group = group;
  }

  RankTimeline Timeline() {
    ProcessTrace& trace = Trace();
    trace.collectives = collectives_;
    uint32_t next = 0;
    for (uint32_t i = 0; i < trace.calls.size(); ++i) {
      HostCall& call = trace.calls[i];
      call.step = call.start < 300 ? static_cast<int32_t>(call.start / 100) : kNoStep;
      if (call.call_class != CallClass::kCollective) continue;
      call.collective = next;
      trace.collectives[next++].call = i;
    }
    for (int64_t step = 0; step < 3; ++step) trace.steps.push_back({step, 100 * step, 100 * step + 100});
    return timeline_of_rank(trace, trace.devices.front(), std::vector<HostTimes>(3), std::nullopt,
                            PhaseRules::shipped());
  }

  TraceBuilder builder_;
  std::vector<CollectiveCall> collectives_;
};

TEST_F(UntimedRank, HasTheStepsInWhichItLaunchedWork) {
  builder_.call("cudaLaunchKernel", 10, 20);
  builder_.call("cudaStreamQuery", 110, 120);
  builder_.call("cudaMemcpyAsync", 210, 225);
  const RankTimeline rank = Timeline();
  EXPECT_FALSE(rank.is_timed());
  ASSERT_EQ(rank.steps.size(), 2u);
  EXPECT_EQ(rank.steps[0].number, 0);
  EXPECT_EQ(rank.steps[1].number, 2);
  EXPECT_FALSE(rank.steps[0].device);
  EXPECT_EQ(rank.steps[1].host.start, 200);
}

TEST_F(UntimedRank, IsTimedWithASingleSpan) {
  builder_.call("cudaLaunchKernel", 10, 20);
  builder_.span(30, 40);
  builder_.call("cudaLaunchKernel", 110, 120);
  const RankTimeline rank = Timeline();
  EXPECT_TRUE(rank.is_timed());
  ASSERT_EQ(rank.steps.size(), 1u);
  EXPECT_TRUE(rank.steps[0].device);
}

TEST_F(UntimedRank, ThatLaunchedNothingLacksNothing) {
  builder_.call("cudaStreamQuery", 10, 20);
  const RankTimeline rank = Timeline();
  EXPECT_TRUE(rank.is_timed());
  EXPECT_TRUE(rank.steps.empty());
}

TEST_F(UntimedRank, SaysWhatTheRecorderSaid) {
  builder_.call("cudaLaunchKernel", 10, 20);
  Trace().attributes["device_times"] = "not wanted: TAUPROF_DEVICE_TIMING=off";
  Trace().quality.dropped["something else"] = 1;
  EXPECT_EQ(Timeline().untimed_because, "not wanted: TAUPROF_DEVICE_TIMING=off");
}

TEST_F(UntimedRank, SaysWhyNothingCameFromASource) {
  builder_.call("cudaLaunchKernel", 10, 20);
  Trace().attributes["device_times"] = "CUPTI";
  Trace().quality.gaps = {{{0, 10}, "device", "somebody else uses CUPTI"},
                          {{10, 20}, "device", "somebody else uses CUPTI"},
                          {{20, 30}, "all", "outside the window"}};
  EXPECT_EQ(Timeline().untimed_because, "CUPTI: somebody else uses CUPTI");
}

TEST_F(UntimedRank, CountsCallsByFunction) {
  builder_.call("cudaLaunchKernel", 10, 20);
  builder_.call("cudaLaunchKernel", 30, 35);
  builder_.call("cudaLaunchKernel", 310, 399);  // outside of all steps
  const RankTimeline rank = Timeline();
  StepSelection steps;
  steps.numbers = {0};
  const std::vector<CallMetrics> calls = call_table({&rank}, steps);
  ASSERT_EQ(calls.size(), 1u);
  EXPECT_EQ(calls[0].count, 2u);
  EXPECT_EQ(calls[0].total, 15);
  EXPECT_EQ(calls[0].shortest, 5);
  EXPECT_EQ(calls[0].longest, 10);
}

TEST_F(UntimedRank, HasItsCollectivesAsCalled) {
  Collective(10, 20, 1);
  builder_.call("ncclGroupStart", 30, 31);
  builder_.call("ncclGroupStart", 32, 33);
  Collective(34, 35, 2, 5);
  Collective(36, 37, 3, 5);
  builder_.call("ncclGroupEnd", 40, 41);
  builder_.call("ncclGroupEnd", 130, 150);
  const RankTimeline rank = Timeline();
  ASSERT_EQ(rank.untimed_collectives.size(), 2u);
  EXPECT_TRUE(rank.collectives.empty());
  EXPECT_EQ(rank.untimed_collectives[0].launch_end, 20);
  EXPECT_EQ(rank.untimed_collectives[0].step, 0);
  EXPECT_EQ(rank.untimed_collectives[0].phase, Phase::kBackward);
  const RankCollective& group = rank.untimed_collectives[1];
  EXPECT_EQ(group.count, 2000);
  EXPECT_EQ(group.sequence, 2);
  EXPECT_EQ(group.launch_start, 130);
  EXPECT_EQ(group.step, 1);
}

TEST_F(UntimedRank, TakesPartInWhatItsPeersDidButNotAsAMember) {
  RunBuilder run(2);
  run.collective(0, 100, 200).sequence = 1;
  run.collective(1, 150, 200).sequence = 1;
  run.ranks()[0].collectives[0].communicator_size = run.ranks()[1].collectives[0].communicator_size = 2;
  RankTimeline& blind = run.ranks()[1];
  blind.untimed_because = "not wanted";
  std::swap(blind.collectives, blind.untimed_collectives);
  blind.steps[0].device.reset();
  const std::vector<MatchedCollective> matches = match_collectives(run.ranks());
  ASSERT_EQ(matches.size(), 1u);
  EXPECT_EQ(matches[0].members.size(), 1u);
  EXPECT_EQ(matches[0].untimed.size(), 1u);
  EXPECT_FALSE(matches[0].is_complete());

  const RunMetrics metrics = run_metrics(run.ranks(), match_collectives(run.ranks()), std::nullopt, std::nullopt);
  EXPECT_EQ(metrics.communication.waits.incomplete, 1u);
  ASSERT_EQ(metrics.communication.collectives.size(), 1u);
  EXPECT_EQ(metrics.communication.collectives[0].ranks, 2);
  EXPECT_EQ(metrics.communication.collectives[0].count, 1u);
  EXPECT_EQ(metrics.communication.collectives[0].untimed, 0u);
  EXPECT_FALSE(metrics.communication.collectives[0].wait_ns);
  EXPECT_EQ(metrics.communication.wait_table.total.count, 2u);
  EXPECT_EQ(metrics.communication.wait_table.total.untimed, 1u);
  EXPECT_EQ(metrics.communication.wait_table.total.unsplit, 100);
  EXPECT_TRUE(metrics.communication.mismatches.empty());
  EXPECT_EQ(metrics.ranks[1].windows, 0u);
  EXPECT_EQ(metrics.steps.step_duration.count, 1u);
}

TEST_F(UntimedRank, ThatCalledSomethingElseIsStillAMismatch) {
  RunBuilder run(2);
  run.collective(0, 100, 200).sequence = 1;
  run.collective(1, 150, 200, 1, log::Operation::kAllReduce, 999).sequence = 1;
  RankTimeline& blind = run.ranks()[1];
  blind.untimed_because = "not wanted";
  std::swap(blind.collectives, blind.untimed_collectives);
  const RunMetrics metrics = run_metrics(run.ranks(), match_collectives(run.ranks()), std::nullopt, std::nullopt);
  ASSERT_EQ(metrics.communication.mismatches.size(), 1u);
  EXPECT_EQ(metrics.communication.mismatches[0].what, "count");
  EXPECT_EQ(metrics.communication.mismatches[0].rank, 1);
}

}  // namespace
}  // namespace tauprof
