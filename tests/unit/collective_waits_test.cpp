// How long each rank waits for its peers in a collective.
#include "metrics/collectives/collective_waits.h"

#include <gtest/gtest.h>

#include "run_builder.h"

namespace tauprof {
namespace {

using log::Operation;

WaitQuality split(RunBuilder& run) { return split_waits(run.ranks(), match_collectives(run.ranks())); }

const RankCollective& only(RunBuilder& run, int rank) { return run.ranks()[rank].collectives.at(0); }

TEST(CollectiveWaits, LastUntilTheLastMemberArrives) {
  RunBuilder run(3);
  run.collective(0, 100, 160);
  run.collective(1, 140, 161);
  run.collective(2, 110, 159);
  EXPECT_EQ(split(run).split, 1u);
  EXPECT_EQ(only(run, 0).wait(), 40);
  EXPECT_EQ(only(run, 0).transfer(), 20);
  EXPECT_EQ(only(run, 1).wait(), 0);
  EXPECT_EQ(only(run, 1).transfer(), 21);
  EXPECT_EQ(only(run, 2).wait(), 30);
  EXPECT_FALSE(only(run, 2).is_upper_bound);
}

TEST(CollectiveWaits, AreComparedOnOneClock) {
  RunBuilder run(2);
  run.collective(0, 100, 160);
  run.collective(1, 5'140, 5'161);
  run.ranks()[1].run_clock = ClockMap(-5'000);
  split(run);
  EXPECT_EQ(only(run, 0).wait(), 40);
  EXPECT_EQ(only(run, 1).ready, 5'140) << "on the rank's own clock";
}

TEST(CollectiveWaits, AreUpperBoundsForABroadcastAndNeverNegative) {
  RunBuilder run(2);
  run.collective(0, 100, 120, 1, Operation::kBroadcast);  // the root leaves before its receiver arrives
  run.collective(1, 140, 160, 1, Operation::kBroadcast);
  split(run);
  EXPECT_EQ(only(run, 0).wait(), 0);
  EXPECT_EQ(only(run, 0).transfer(), 20);
  EXPECT_EQ(only(run, 1).wait(), 0);
  EXPECT_TRUE(only(run, 1).is_upper_bound);
}

TEST(CollectiveWaits, MakeUpWhatIsLongerThanTheShortestSpan) {
  RunBuilder run(3);
  run.collective(0, 0, 100);
  run.collective(1, 10, 30);  // by a clock that is 70 behind
  run.collective(2, 5, 100);
  split(run);
  EXPECT_EQ(only(run, 0).wait(), 80);
  EXPECT_EQ(only(run, 0).transfer(), 20);
  EXPECT_EQ(only(run, 1).wait(), 0);
  EXPECT_EQ(only(run, 2).wait(), 75);
}

TEST(CollectiveWaits, OfABroadcastDoNotDependOnTheShortestSpan) {
  RunBuilder run(2);
  run.collective(0, 0, 20, 1, Operation::kBroadcast);  // the root leaves its data and goes
  run.collective(1, 10, 100, 1, Operation::kBroadcast);
  split(run);
  EXPECT_EQ(only(run, 1).transfer(), 90);
}

TEST(CollectiveWaits, AreUnknownWithoutAllMembers) {
  RunBuilder run(3);
  run.collective(0, 100, 160);
  run.collective(1, 140, 161);
  EXPECT_EQ(split(run).incomplete, 1u);
  EXPECT_FALSE(only(run, 0).is_split);
}

TEST(CollectiveWaits, IgnoreAnArrivalAfterTheRanksOwnEnd) {
  RunBuilder run(2);
  for (int i = 0; i < 20; ++i) {
    run.collective(0, 100 * i, 100 * i + 50);
    run.collective(1, 100 * i + 10, i == 19 ? 100 * i + 70 : 100 * i + 50);
  }
  run.ranks()[1].collectives.back().start = 100 * 19 + 60;
  const WaitQuality quality = split(run);
  EXPECT_EQ(quality.contradicting, 1u);
  EXPECT_TRUE(quality.clocks_agree);
  EXPECT_TRUE(run.ranks()[0].collectives.back().is_split);
  EXPECT_EQ(run.ranks()[0].collectives.back().wait(), 40) << "what is longer than the other's 10";
  EXPECT_EQ(run.ranks()[0].collectives.front().wait(), 10);
}

// Ranks whose clocks are 500 apart in collectives of 30 and 50.
void meet_apart(RunBuilder& run, uint64_t communicator, int64_t first_number) {
  for (int i = 0; i < 5; ++i) {
    run.collective(0, 1000 * i, 1000 * i + 50, communicator).sequence = first_number + i;
    run.collective(1, 1000 * i + 500, 1000 * i + 530, communicator).sequence = first_number + i;
  }
}

TEST(CollectiveWaits, AreNotInventedWhenClocksDisagreeAndNothingProvesTheMatch) {
  RunBuilder run(2);
  meet_apart(run, 0, 1);
  const WaitQuality quality = split(run);
  EXPECT_FALSE(quality.clocks_agree);
  EXPECT_EQ(quality.without_clocks, 5u);
  EXPECT_FALSE(run.ranks()[0].collectives[0].is_split);
}

TEST(CollectiveWaits, ComeFromLengthsWhenClocksDisagree) {
  RunBuilder run(2);
  meet_apart(run, 7, 1);
  const WaitQuality quality = split(run);
  EXPECT_FALSE(quality.clocks_agree);
  EXPECT_EQ(quality.by_length, 5u);
  EXPECT_EQ(run.ranks()[0].collectives[3].wait(), 20);
  EXPECT_EQ(run.ranks()[0].collectives[3].transfer(), 30);
  EXPECT_EQ(run.ranks()[1].collectives[3].wait(), 0);
}

TEST(CollectiveWaits, DoNotDependOnAClockThatNoMemberHas) {
  RunBuilder run(3);
  for (const int rank : {0, 1}) run.collective(rank, 10 * rank, 50).communicator_size = 2;
  run.ranks()[2].clock_basis = ClockBasis::kUnknown;  // it has no collectives at all
  EXPECT_EQ(split(run).split, 1u);
  EXPECT_EQ(run.ranks()[0].collectives[0].wait(), 10);
}

// Rank 1 comes last, and rank 0's clock is `behind` ns behind. NCCL says that rank 0 waited for 700 µs.
void meet_as_reported(RunBuilder& run, Nanoseconds behind, Nanoseconds reported_length) {
  RankCollective& first = run.collective(0, 1'000'000 - behind, 2'000'000 - behind);
  first.rare.edit().reported_wait = 700'000;
  first.rare.edit().reported_length = reported_length;
  RankCollective& last = run.collective(1, 1'700'000, 2'000'000);
  last.rare.edit().reported_wait = 1'000;
  last.rare.edit().reported_length = 295'000;
}

TEST(CollectiveWaits, AreAsNcclSays) {
  RunBuilder run(2);
  meet_as_reported(run, 30'000, 990'000);
  const WaitQuality quality = split(run);
  EXPECT_EQ(quality.split, 1u);
  EXPECT_EQ(quality.by_nccl, 1u);
  EXPECT_EQ(only(run, 0).wait(), 699'000);
  EXPECT_EQ(only(run, 0).transfer(), 301'000);
  EXPECT_EQ(only(run, 1).wait(), 0) << "the barrier's own time is no waiting";
  EXPECT_EQ(run.ranks()[0].arrival(only(run, 0)) - run.ranks()[1].arrival(only(run, 1)), -699'000);
  EXPECT_EQ(quality.compared_waits, 2u);
  EXPECT_EQ(quality.most_difference, 31'000) << "by clocks, rank 0 waited for 730 µs";
  EXPECT_EQ(quality.mean_difference(), 15'500);
}

TEST(CollectiveWaits, AreAsNcclSaysWhereNoClockIsKnown) {
  RunBuilder run(2);
  meet_as_reported(run, 0, 990'000);
  for (RankTimeline& rank : run.ranks()) {
    rank.clock_basis = ClockBasis::kUnknown;
    rank.collectives[0].has_identity = false;  // lengths prove nothing
  }
  const WaitQuality quality = split(run);
  EXPECT_EQ(quality.by_nccl, 1u);
  EXPECT_EQ(quality.compared_waits, 0u);
  EXPECT_EQ(only(run, 0).wait(), 699'000);
}

// NCCL says nothing of their waiting, which looks like none.
TEST(CollectiveWaits, OfKernelsThatNcclDoesNotWatchAreNotWhatItSays) {
  RunBuilder run(2);
  meet_as_reported(run, 0, 990'000);
  for (RankTimeline& rank : run.ranks()) rank.collectives[0].rare.edit().reported_wait = 0;
  const WaitQuality quality = split(run);
  EXPECT_EQ(quality.by_nccl, 0u);
  EXPECT_EQ(only(run, 0).wait(), 700'000);
}

TEST(CollectiveWaits, AreNotWhatNcclSaysOfAnotherKernel) {
  for (const Nanoseconds length : {Nanoseconds{0}, Nanoseconds{900'000}, Nanoseconds{1'100'000}}) {
    RunBuilder run(2);
    meet_as_reported(run, 0, length);
    const WaitQuality quality = split(run);
    EXPECT_EQ(quality.by_nccl, 0u) << length;
    EXPECT_EQ(quality.split, 1u) << length;
    EXPECT_EQ(only(run, 1).wait(), 0) << length;
  }
}

TEST(CollectiveWaits, LastUntilTheSenderArrivesForAReceiver) {
  RunBuilder run(2);
  run.message(0, 150, 180, 1, true);
  run.message(1, 100, 180, 0, false);
  split(run);
  EXPECT_EQ(only(run, 1).wait(), 50);
  EXPECT_EQ(only(run, 0).wait(), 0);
}

}  // namespace
}  // namespace tauprof
