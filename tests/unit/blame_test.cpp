// Who made the others wait, and why.
#include "metrics/stragglers/blame.h"

#include <gtest/gtest.h>

#include "metrics/collectives/collective_waits.h"
#include "run_builder.h"

namespace tauprof {

void PrintTo(Cause cause, std::ostream* out) { *out << kCauseNames[static_cast<size_t>(cause)]; }

namespace {

class BlameTest : public testing::Test {
 protected:
  explicit BlameTest(int ranks = 3) : run(ranks) {}

  // All ranks start together: the time they spend from now on can be compared.
  void meet(const std::vector<int>& ranks, Nanoseconds time, uint64_t communicator) {
    for (int rank : ranks) {
      RankCollective& collective = run.collective(rank, time, time + 5, communicator);
      collective.communicator_size = static_cast<int32_t>(ranks.size());
      keep_spent(rank);
      collective.exposed = 0;
    }
  }
  // The rank spends time, then joins the communicator's next collective.
  void spend(int rank, LedgerRow row, Nanoseconds time, double kernels = 0) {
    spent_[rank].rows[static_cast<size_t>(row)] += time;
    spent_[rank].work.kernels += kernels;
  }
  // Before its latest collective.
  void keep_spent(int rank) {
    before_[rank].resize(run.ranks()[rank].collectives.size());
    before_[rank].back().device = spent_[rank];
  }
  RankCollective& join(int rank, Nanoseconds start, Nanoseconds end, uint64_t communicator, int members) {
    RankCollective& collective = run.collective(rank, start, end, communicator);
    collective.communicator_size = members;
    keep_spent(rank);
    spend(rank, LedgerRow::kExposedCommUnsplit, end - start);
    return collective;
  }

  // Blame by rank and cause over all collectives.
  std::map<std::pair<uint32_t, Cause>, double> blame() {
    const std::vector<MatchedCollective> matches = match_collectives(run.ranks());
    split_waits(run.ranks(), matches);
    for (const auto& [rank, before] : before_) run.ranks()[rank].spent = SpentColumns(before);
    std::map<std::pair<uint32_t, Cause>, double> sums;
    BlameTracer(run.ranks(), matches, true).trace([&](const BlameTracer::Blame& blame) {
      for (const BlameShare& share : blame.shares) sums[{share.rank, share.cause}] += share.share * blame.waited;
    });
    return sums;
  }

  RunBuilder run;
  std::map<int, SpentTime> spent_;
  std::map<int, std::vector<SpentBefore>> before_;  // its collectives
};

using Blames = std::map<std::pair<uint32_t, Cause>, double>;

TEST_F(BlameTest, MatchesTheHeadersExample) {
  run.collective(0, 0, 60);
  run.collective(1, 10, 60);
  run.collective(2, 40, 60);
  EXPECT_EQ(blame(), (Blames{{{1, Cause::kUnknown}, 5}, {{2, Cause::kUnknown}, 65}}));
}

TEST_F(BlameTest, GoesToNobodyOnATie) {
  for (int rank : {0, 1, 2}) run.collective(rank, 10, 60);
  EXPECT_EQ(blame(), Blames{});
}

TEST_F(BlameTest, OfWaitingThatClocksHideGoesToTheMemberThatWaitedLeast) {
  run.collective(0, 0, 100);
  run.collective(1, 10, 30);  // by a clock that is 70 behind
  run.collective(2, 5, 100);
  EXPECT_EQ(blame(), (Blames{{{1, Cause::kUnknown}, 2.5 + 2 * 5 + 2 * 70}, {{2, Cause::kUnknown}, 2.5}}));
}

TEST_F(BlameTest, NeedsNoClockWhereLengthsTell) {
  for (int i = 1; i <= 3; ++i)
    for (const int rank : {0, 1, 2}) {
      const Nanoseconds begin = 1000 * i + 300 * rank;  // by clocks that are far apart
      run.collective(rank, begin, begin + (rank == 1 ? 20 : 50)).sequence = i + 1;
    }
  EXPECT_EQ(blame(), (Blames{{{1, Cause::kUnknown}, 3 * 60}}));
}

TEST_F(BlameTest, CopyingMoreThanThePeersIsNotASlowLink) {
  meet({0, 1, 2}, 0, 7);
  for (const int rank : {0, 1, 2}) spent_[rank].copied_bytes += rank == 2 ? 1000 : 100;
  spend(2, LedgerRow::kExposedCopy, 90);
  for (const int rank : {0, 1, 2}) join(rank, rank == 2 ? 190 : 100, 200, 7, 3);
  EXPECT_EQ(blame(), (Blames{{{2, Cause::kHostSync}, 180}}));
}

TEST_F(BlameTest, CopiesOfInputAreTheCauseAsFarAsTheyTakeLonger) {
  for (const Nanoseconds of_input : {90, 10}) {
    run = RunBuilder(3);
    spent_.clear();
    meet({0, 1, 2}, 0, 7);
    for (const int rank : {0, 1, 2}) run.ranks()[rank].steps.back().input_copies.total = rank == 2 ? 5 + of_input : 5;
    spend(2, LedgerRow::kExposedCopy, 90);
    for (const int rank : {0, 1, 2}) join(rank, rank == 2 ? 190 : 100, 200, 7, 3);
    EXPECT_EQ(blame(), (Blames{{{2, of_input == 90 ? Cause::kInputCopy : Cause::kSlowLink}, 180}}));
  }
}

// Who gets more tokens ends its all-to-alls later, and computes for longer between them.
TEST_F(BlameTest, MoreTokensShowInTheExchanges) {
  const auto exchange = [&](int rank, Nanoseconds start, Nanoseconds ready) {
    RankCollective& own = join(rank, start, ready + (rank == 2 ? 150 : 100), 7, 3);
    own.operation = log::Operation::kAllToAll;
    own.count = rank == 2 ? 1500 : 1000;
  };
  for (const int rank : {0, 1, 2}) exchange(rank, 0, 0);
  for (const int rank : {0, 1, 2}) spend(rank, LedgerRow::kCompute, rank == 2 ? 300 : 200, 10);
  for (const int rank : {0, 1, 2}) exchange(rank, rank == 2 ? 450 : 300, 450);
  const Blames found = blame();
  ASSERT_EQ(found.size(), 1u) << "nobody waits for the ranks whose parts are small";
  EXPECT_EQ(found.begin()->first, (std::pair{2u, Cause::kMoreTokens}));
  EXPECT_EQ(found.begin()->second, 300);
}

TEST_F(BlameTest, StartingUpIsNotBlamedAtTheNextCollectiveEither) {
  for (const int rank : {0, 1, 2}) join(rank, rank == 2 ? 90 : 0, 100, 7, 3).sequence = 1;
  for (const int rank : {0, 1, 2}) join(rank, rank == 2 ? 150 : 110, 160, 7, 3).sequence = 2;
  EXPECT_EQ(blame(), (Blames{{{2, Cause::kUnknown}, 0}}));
}

struct Excess {
  LedgerRow row;
  uint64_t spans;
  Cause cause;
};
void PrintTo(const Excess& excess, std::ostream* out) {
  *out << row_name(excess.row) << ", more spans: " << excess.spans;
}

class BlameForExcess : public BlameTest, public testing::WithParamInterface<Excess> {};

TEST_P(BlameForExcess, NamesItsCause) {
  meet({0, 1, 2}, 0, 1);
  for (int rank : {0, 1, 2}) spend(rank, LedgerRow::kCompute, 100, 10);
  spend(2, GetParam().row, 50, GetParam().spans);
  for (int rank : {0, 1}) join(rank, 105, 200, 1, 3);
  join(2, 155, 200, 1, 3);
  EXPECT_EQ(blame(), (Blames{{{2, GetParam().cause}, 100}}));
}

INSTANTIATE_TEST_SUITE_P(Rows, BlameForExcess,
                         testing::Values(Excess{LedgerRow::kCompute, 0, Cause::kSlowCompute},
                                         Excess{LedgerRow::kCompute, 5, Cause::kMoreCompute},
                                         Excess{LedgerRow::kIdleDataWait, 0, Cause::kDataWait},
                                         Excess{LedgerRow::kIdleHostSync, 0, Cause::kHostSync},
                                         Excess{LedgerRow::kIdleHostStall, 0, Cause::kHostStall},
                                         Excess{LedgerRow::kIdleHostLaunch, 0, Cause::kHostLaunch},
                                         Excess{LedgerRow::kExposedCopy, 0, Cause::kSlowLink},
                                         Excess{LedgerRow::kIdleOther, 0, Cause::kUnknown}));

TEST_F(BlameTest, IsSplitAmongCausesLikeTheExcess) {
  meet({0, 1}, 0, 1);
  spend(1, LedgerRow::kCompute, 30);
  spend(1, LedgerRow::kIdleDataWait, 10);
  join(0, 5, 60, 1, 2);
  join(1, 45, 60, 1, 2);
  EXPECT_EQ(blame(), (Blames{{{1, Cause::kSlowCompute}, 30}, {{1, Cause::kDataWait}, 10}}));
}

TEST_F(BlameTest, GoesToALateHostEvenWhenDeviceWorkHidIt) {
  meet({0, 1}, 0, 1);
  spend(1, LedgerRow::kCompute, 40);  // slowed down by concurrent work
  join(0, 5, 60, 1, 2);
  RankCollective& late = join(1, 45, 60, 1, 2);
  late.launch_start = 30;
  late.launch_end = 44;
  before_[1].back().host[LedgerRow::kIdleHostStall] = 40;
  EXPECT_EQ(blame(), (Blames{{{1, Cause::kHostStall}, 40}}));
}

TEST_F(BlameTest, IsInheritedWhenNothingElseExplainsTheLateness) {
  meet({0, 1}, 0, 1);
  spend(1, LedgerRow::kIdleDataWait, 40);
  join(0, 5, 60, 1, 2);
  join(1, 45, 60, 1, 2);
  join(0, 105, 160, 1, 2);
  join(1, 145, 160, 1, 2);
  const Blames found = blame();
  EXPECT_NEAR(found.at({1, Cause::kDataWait}), 80, 1e-9);
}

TEST_F(BlameTest, CatchingUpIsBlamedOnWhatPutTheRankBehind) {
  meet({0, 1}, 0, 1);
  spend(0, LedgerRow::kCompute, 20, 20);  // during its first collective rank 0 finishes all its compute
  spend(1, LedgerRow::kIdleHostStall, 40);
  join(0, 5, 60, 1, 2);
  join(1, 45, 60, 1, 2);
  spend(1, LedgerRow::kCompute, 20, 20);  // rank 1 computes while rank 0 already waits
  join(0, 60, 90, 1, 2);
  join(1, 80, 90, 1, 2);
  const Blames found = blame();
  EXPECT_NEAR(found.at({1, Cause::kHostStall}), 40 + 20, 1e-9);
  EXPECT_EQ(found.count({1, Cause::kSlowCompute}), 0u);
}

TEST_F(BlameTest, AnExtraKernelIsMoreCompute) {
  meet({0, 1}, 0, 1);
  for (const int rank : {0, 1}) spend(rank, LedgerRow::kCompute, rank == 1 ? 60 : 20, rank == 1 ? 6 : 2);
  join(0, 25, 70, 1, 2);
  join(1, 65, 70, 1, 2);
  EXPECT_EQ(blame(), (Blames{{{1, Cause::kMoreCompute}, 40}}));
}

TEST_F(BlameTest, PassesThroughARankThatWasMadeLate) {
  constexpr uint64_t kFirst = 1, kSecond = 2;
  meet({0, 1}, 0, kFirst);
  meet({1, 2}, 0, kSecond);
  spend(2, LedgerRow::kCompute, 100);
  join(1, 5, 110, kSecond, 2);  // waits for rank 2,
  join(2, 105, 110, kSecond, 2);
  join(0, 5, 120, kFirst, 2);  // and makes rank 0 wait
  join(1, 110, 120, kFirst, 2);
  const Blames found = blame();
  EXPECT_EQ(found.count({2, Cause::kSlowCompute}), 1u);
  // Rank 1 spent 105 since it last met rank 0: 100 waiting, 5 in the transfer.
  EXPECT_NEAR(found.at({2, Cause::kSlowCompute}), 100 + 105 * 100.0 / 105, 1e-9);
  EXPECT_NEAR(found.at({1, Cause::kSlowLink}), 5, 1e-9);
}

// Two replicas of a two-stage pipeline: ranks 0 and 1, ranks 2 and 3.
class BlameForMessages : public BlameTest {
 protected:
  BlameForMessages() : BlameTest(4) {}

  void send(int replica, Nanoseconds sent, Nanoseconds awaited, Nanoseconds end) {
    for (const int stage : {0, 1}) {
      const int rank = 2 * replica + stage;
      RankCollective& side = run.message(rank, stage == 0 ? sent : awaited, end, 1 - stage, stage == 0);
      side.communicator = 10 + replica;
      side.communicator_rank = stage;
      side.communicator_size = 2;
      keep_spent(rank);
      spend(rank, LedgerRow::kExposedCommUnsplit, side.end - side.start);
    }
  }
};

TEST_F(BlameForMessages, GoesToWhatTakesLongerThanInOtherReplicas) {
  for (const int replica : {0, 1}) send(replica, 0, 0, 5);
  spend(0, LedgerRow::kCompute, 50);
  spend(2, LedgerRow::kCompute, 90);
  send(0, 55, 10, 60);
  send(1, 95, 10, 100);
  const Blames found = blame();
  EXPECT_NEAR(found.at({2, Cause::kSlowCompute}), 40, 1e-9);
  for (const auto& [who, amount] : found)
    if (who.second != Cause::kSlowCompute) {
      EXPECT_EQ(amount, 0) << "rank " << who.first;
    }
}

TEST_F(BlameForMessages, FollowsAReceiverThatCameAfterItsBufferedSender) {
  const auto pass = [&](int from, int to, Interval sent, Interval received) {
    for (const int rank : {from, to}) {
      const Interval& time = rank == from ? sent : received;
      RankCollective& side = run.message(rank, time.start, time.end, 1 - rank % 2, rank == from);
      side.communicator = 10 + rank / 2;
      side.communicator_rank = rank % 2;
      side.communicator_size = 2;
      keep_spent(rank);
      spend(rank, LedgerRow::kExposedCommUnsplit, time.length());
    }
  };
  for (const int replica : {0, 1}) send(replica, 0, 0, 5);
  for (const int rank : {0, 2}) spend(rank, LedgerRow::kCompute, 5);
  spend(1, LedgerRow::kIdleHostStall, 55);
  pass(0, 1, {10, 15}, {60, 65});  // nobody waits for rank 1 here
  pass(2, 3, {10, 15}, {5, 15});
  for (const int rank : {1, 3}) spend(rank, LedgerRow::kCompute, 20);
  pass(1, 0, {85, 90}, {20, 90});  // but here
  pass(3, 2, {35, 40}, {20, 40});
  const Blames found = blame();
  EXPECT_NEAR(found.at({1, Cause::kHostStall}), 45, 1e-9);
  for (const auto& [who, amount] : found)
    if (who.second != Cause::kHostStall) {
      EXPECT_EQ(amount, 0) << "rank " << who.first;
    }
}

TEST_F(BlameForMessages, GoesToNobodyWhenStagesMeetAtAnotherCollective) {
  for (const int replica : {0, 1}) send(replica, 0, 0, 5);
  for (const int rank : {0, 1, 2, 3}) {
    // Both second stages compute for longer, as last stages do.
    spend(rank, LedgerRow::kCompute, rank % 2 == 1 ? 90 : 50, 10);
    join(rank, rank % 2 == 1 ? 95 : 55, 100, 5, 4);
  }
  for (const auto& [who, amount] : blame()) EXPECT_EQ(amount, 0) << "rank " << who.first;
}

TEST_F(BlameForMessages, PassesThroughTheStages) {
  meet({1, 3}, -20, 5);
  for (const int replica : {0, 1}) send(replica, 0, 0, 5);
  spend(2, LedgerRow::kCompute, 40);  // stage 0 of the second replica
  send(0, 15, 10, 20);
  send(1, 55, 10, 60);
  // The second stages of both replicas meet in an all-reduce; one arrives late because its message did.
  for (const int rank : {1, 3}) {
    RankCollective& reduction = run.collective(rank, rank == 1 ? 30 : 70, 80, 5);
    reduction.communicator_size = 2;
    keep_spent(rank);
  }
  const Blames found = blame();
  EXPECT_NEAR(found.at({2, Cause::kSlowCompute}), 40 + 40, 1e-9);
  EXPECT_EQ(found.count({3, Cause::kUnknown}), 0u);
}

}  // namespace
}  // namespace tauprof
