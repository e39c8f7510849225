// Time spent waiting and transferring by communicator, phase and rank; messages and pipelines.
#include "metrics/collectives/wait_totals.h"

#include <gtest/gtest.h>

#include "metrics/collectives/collective_waits.h"
#include "metrics/collectives/message_table.h"
#include "metrics/ledger/exposed_communication.h"
#include "run_builder.h"

namespace tauprof {
namespace {

// The rank's unit `index` ran exposed during `time`.
void expose(RunBuilder& run, int rank, uint32_t index, Interval time) {
  RankTimeline& timeline = run.ranks()[rank];
  timeline.slices.push_back({time, 0, static_cast<uint32_t>(timeline.slice_members.size()), 1});
  timeline.slice_members.push_back(index);
}

WaitTable table_of(RunBuilder& run) {
  const std::vector<MatchedCollective> matches = match_collectives(run.ranks());
  split_waits(run.ranks(), matches);
  for (RankTimeline& rank : run.ranks()) book_exposed_communication(rank);
  return wait_table(run.ranks(), matches, select_steps(run.ranks(), std::nullopt));
}

TEST(WaitTable, HasEqualSumsByCommunicatorPhaseAndRank) {
  RunBuilder run(2);
  run.collective(0, 0, 100).phase = Phase::kBackward;
  run.collective(1, 70, 100).phase = Phase::kForward;
  run.collective(0, 200, 220, 5).phase = Phase::kBackward;  // its peer is not recorded
  expose(run, 0, 0, {40, 100});
  const WaitTable table = table_of(run);
  EXPECT_EQ(table.total.count, 3u);
  EXPECT_EQ(table.total.span, 150);
  EXPECT_EQ(table.total.wait, 70);
  EXPECT_EQ(table.total.transfer, 60);
  EXPECT_EQ(table.total.unsplit, 20);
  EXPECT_EQ(table.total.exposed_wait, 30);
  EXPECT_EQ(table.by_rank.at(0).second.span, 120);
  EXPECT_EQ(table.by_rank.at(1).second.wait, 0);
  EXPECT_EQ(table.by_phase[static_cast<size_t>(Phase::kBackward)].wait, 70);
  EXPECT_EQ(table.by_phase[static_cast<size_t>(Phase::kForward)].transfer, 30);
  ASSERT_EQ(table.by_communicator.size(), 2u);
  EXPECT_EQ(table.by_communicator[0].second.span, 130);
  EXPECT_EQ(table.by_communicator[1].second.unsplit, 20);
}

TEST(WaitTable, MarksWaitsWithinTheClocksUncertainty) {
  for (const int64_t part : {1000, 2000}) {
    RunBuilder run(2);
    run.collective(0, 0, 100, 1, log::Operation::kAllToAll, 1000);
    run.collective(1, 70, 100, 1, log::Operation::kAllToAll, part);
    ClockSegment unsure;
    unsure.uncertainty = 80;
    run.ranks()[0].run_clock = ClockMap(std::vector{unsure});
    const WaitTable table = table_of(run);
    EXPECT_EQ(table.by_rank.at(0).second.is_within_clock_bound(), part == 2000)
        << "a wait of 70 on a clock that may be off by 80, but lengths tell it where parts are equal";
    EXPECT_FALSE(table.by_rank.at(1).second.is_within_clock_bound()) << "it did not wait";
  }
}

TEST(WaitTable, LeavesOutWhatStartsOutsideTheAnalysedSteps) {
  RunBuilder run(1);
  run.collective(0, 0, 100).step = kNoStep;
  EXPECT_EQ(table_of(run).total.count, 0u);
}

// All launches belong to step 0.
void launch_in_one_step(RunBuilder& run) {
  for (RankTimeline& rank : run.ranks()) rank.steps[0].host = {-100'000'000, 0};
}

// Three stages, one micro-batch: activations 0 -> 1 -> 2, then gradients 2 -> 1 -> 0.
RunBuilder three_stages() {
  RunBuilder run(3);
  run.message(0, 0, 20, 1, true);
  run.message(1, 10, 20, 0, false);
  run.message(1, 30, 50, 2, true);
  run.message(2, 5, 50, 1, false);
  run.message(2, 60, 80, 1, true);
  run.message(1, 55, 80, 2, false);
  run.message(1, 90, 100, 0, true);
  run.message(0, 25, 100, 1, false);
  expose(run, 0, 1, {25, 100});
  expose(run, 2, 0, {15, 50});
  launch_in_one_step(run);
  const Nanoseconds compute[] = {10, 30, 20};
  for (int rank : {0, 1, 2}) run.ranks()[rank].steps[0].compute = compute[rank];
  return run;
}

MessageTable messages_of(RunBuilder& run) {
  const std::vector<MatchedCollective> matches = match_collectives(run.ranks());
  split_waits(run.ranks(), matches);
  for (RankTimeline& rank : run.ranks()) book_exposed_communication(rank);
  return message_table(run.ranks(), matches, select_steps(run.ranks(), std::nullopt));
}

const MessageChannel& channel(const MessageTable& table, int32_t source, int32_t destination) {
  for (const MessageChannel& channel : table.channels)
    if (channel.source == source && channel.destination == destination) return channel;
  throw std::out_of_range("no such channel");
}

TEST(MessageTable, SaysWhoWaitsForWhom) {
  RunBuilder run = three_stages();
  const MessageTable table = messages_of(run);
  EXPECT_EQ(table.channels.size(), 4u);
  const MessageChannel& forward = channel(table, 1, 2);
  EXPECT_EQ(forward.count, 1u);
  EXPECT_EQ(forward.bytes, 4000);
  EXPECT_EQ(forward.destination_wait, 25) << "from 5 to 30";
  EXPECT_EQ(forward.source_wait, 0);
  EXPECT_EQ(forward.transfer, 20);
  EXPECT_EQ(channel(table, 0, 1).source_wait, 10);
  EXPECT_EQ(channel(table, 1, 0).destination_wait, 65);
  EXPECT_EQ(table.channels.front().source, 1) << "the one with the most waiting comes first";
}

TEST(MessageTable, FindsThePipelineAndItsSlowestStage) {
  RunBuilder run = three_stages();
  const MessageTable table = messages_of(run);
  ASSERT_EQ(table.pipelines.size(), 1u);
  const Pipeline& pipeline = table.pipelines[0];
  ASSERT_EQ(pipeline.stages.size(), 3u);
  for (int32_t stage : {0, 1, 2}) EXPECT_EQ(pipeline.stages[stage].rank, stage);
  EXPECT_EQ(pipeline.critical, 1u);
  EXPECT_DOUBLE_EQ(pipeline.imbalance, 1.5);
  EXPECT_EQ(pipeline.stages[0].wait_next, 65);
  EXPECT_EQ(pipeline.stages[0].wait_previous, 0);
  EXPECT_EQ(pipeline.stages[2].wait_previous, 15) << "the part of its wait in which nothing computed";
  EXPECT_DOUBLE_EQ(pipeline.stages[0].bubble(), 65.0 / 75);
  EXPECT_DOUBLE_EQ(pipeline.messages_per_step, 1);
  EXPECT_DOUBLE_EQ(*pipeline.ideal_bubble, 2.0 / 3);
}

TEST(MessageTable, DoesNotTakeARingForAPipeline) {
  RunBuilder run(3);
  for (int rank : {0, 1, 2}) {
    RankCollective& unit = run.message(rank, 10 * rank, 100, (rank + 1) % 3, true);
    unit.rare.edit().peer_calls.push_back({(rank + 2) % 3, false, 4000});
  }
  launch_in_one_step(run);
  const MessageTable table = messages_of(run);
  EXPECT_EQ(table.channels.size(), 3u);
  EXPECT_TRUE(table.pipelines.empty());
}

TEST(MessageTable, CountsAMessageReceivedAheadInTheStepThatCallsIt) {
  RunBuilder run(2);
  for (RankTimeline& rank : run.ranks()) {
    rank.steps.resize(2);
    for (int step : {0, 1}) {
      rank.steps[step].number = step;
      rank.steps[step].device = {1000 * step, 1000 * step + 1000};
      rank.steps[step].host = {1000 * step - 10'000'000, 1000 * step - 9'999'000};
    }
  }
  // Each step sends 0 -> 1, then 1 -> 0. Rank 1's device already waits for the activations in the step before.
  const auto message = [&](int rank, Nanoseconds start, Nanoseconds end, bool is_send, int step, Nanoseconds launched) {
    RankCollective& unit = run.message(rank, start, end, 1 - rank, is_send);
    unit.step = step;
    unit.launch_start = launched - 10'000'000;
  };
  for (int step : {0, 1}) {
    const Nanoseconds at = 1000 * step;
    message(0, at + 100, at + 110, true, step, at + 10);
    message(1, at == 0 ? 0 : 400, at + 110, false, 0, at + 20);
    message(1, at + 300, at + 310, true, step, at + 30);
    message(0, at + 150, at + 310, false, step, at + 40);
  }
  const MessageTable table = messages_of(run);
  ASSERT_EQ(table.pipelines.size(), 1u);
  EXPECT_EQ(table.pipelines[0].stages[0].rank, 0);
}

TEST(MessageTable, MatchesFirstInFirstOutOnEachChannel) {
  RunBuilder run(2);
  run.message(0, 0, 10, 1, true);
  run.message(0, 100, 140, 1, true);
  run.message(1, 5, 10, 0, false);
  run.message(1, 50, 140, 0, false);
  const MessageChannel only = messages_of(run).channels.at(0);
  EXPECT_EQ(only.count, 2u);
  EXPECT_EQ(only.destination_wait, 50);
  EXPECT_EQ(only.source_wait, 5);
}

}  // namespace
}  // namespace tauprof
