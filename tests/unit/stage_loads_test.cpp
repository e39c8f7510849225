// Which pipeline stage computes more than the typical one.
#include "metrics/stragglers/stage_loads.h"

#include <gtest/gtest.h>

#include "run_builder.h"

namespace tauprof {
namespace {

constexpr int kStages = 4;

// Replicas of a four-stage pipeline: ranks 0 to 3, 4 to 7 and so on.
class StageLoadsTest : public testing::Test {
 protected:
  explicit StageLoadsTest(int replicas = 1) : run(replicas * kStages) {
    for (RankTimeline& rank : run.ranks()) {
      rank.steps.resize(2);
      rank.steps[1].number = 1;
      add_message(rank, 0, 0, 0);
    }
  }
  // In step 1 the rank computes for the given time in the given number of kernels, then sends.
  void compute(int rank, Nanoseconds time, double kernels) { add_message(run.ranks()[rank], 1, time, kernels); }
  StageLoads::Excess excess(uint32_t rank) {
    const std::vector<MatchedCollective> matches = match_collectives(run.ranks());
    const PipelineStages stages(run.ranks(), matches);
    return StageLoads(run.ranks(), stages).excess(rank, 1);
  }

  RunBuilder run;

 private:
  void add_message(const RankTimeline& rank, int32_t step, Nanoseconds time, double kernels) {
    RankCollective& message = run.message(rank.rank, 100 * (step + 1), 100 * (step + 1) + 10, 1, true);
    message.communicator = 1 + static_cast<uint64_t>(rank.rank / kStages);
    message.communicator_rank = rank.rank % kStages;
    message.communicator_size = kStages;
    message.step = step;
    message.before.rows[static_cast<size_t>(LedgerRow::kCompute)] = time;
    message.before.work.kernels = kernels;
  }
};

class TwoReplicasTest : public StageLoadsTest {
 protected:
  TwoReplicasTest() : StageLoadsTest(2) {}
};

TEST_F(StageLoadsTest, MatchTheHeadersExample) {
  for (const int rank : {0, 1, 2}) compute(rank, 20, 200);
  compute(3, 30, 300);
  EXPECT_DOUBLE_EQ(excess(3).share, 1.0 / 3);
  EXPECT_TRUE(excess(3).has_more_work);
  for (const uint32_t rank : {0u, 1u, 2u}) EXPECT_EQ(excess(rank).share, 0);
}

TEST_F(StageLoadsTest, TheSameKernelsTakingLongerAreSlow) {
  for (const int rank : {0, 2, 3}) compute(rank, 20, 200);
  compute(1, 25, 200);
  EXPECT_DOUBLE_EQ(excess(1).share, 0.2);
  EXPECT_FALSE(excess(1).has_more_work);
}

TEST_F(StageLoadsTest, AFewPercentAreNotAnImbalance) {
  for (const int rank : {0, 1, 2}) compute(rank, 100, 200);
  compute(3, 104, 210);
  EXPECT_EQ(excess(3).share, 0);
}

TEST_F(TwoReplicasTest, OneSlowRankIsNotAStageImbalance) {
  for (int rank = 0; rank < 8; ++rank) compute(rank, rank == 6 ? 40 : 20, 200);
  EXPECT_EQ(excess(6).share, 0);
}

TEST_F(TwoReplicasTest, NothingIsReportedWhenAStageIsMissing) {
  for (const int rank : {0, 1, 4, 5}) compute(rank, rank % 4 == 1 ? 40 : 20, 200);
  EXPECT_EQ(excess(1).share, 0);
}

}  // namespace
}  // namespace tauprof
