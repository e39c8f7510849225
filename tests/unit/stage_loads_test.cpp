// The time that a pipeline's stage spends beyond the typical stage's.
#include "metrics/stragglers/stage_loads.h"

#include <gtest/gtest.h>

#include "run_builder.h"

namespace tauprof {
namespace {

constexpr int kStages = 4;

// Replicas of a four-stage pipeline: ranks 0 to 3, 4 to 7 and so on. Each sends a message in steps 0, 1 and 2.
class StageLoadsTest : public testing::Test {
 protected:
  explicit StageLoadsTest(int replicas = 1) : run(replicas * kStages) {
    for (RankTimeline& rank : run.ranks()) {
      rank.steps.resize(3);
      for (int32_t step = 0; step < 3; ++step) {
        rank.steps[step].number = step;
        rank.steps[step].device = {100 * step, 100 * (step + 1)};
        RankCollective& message = run.message(rank.rank, 100 * step, 100 * step + 10, 1, true);
        message.communicator = 1 + static_cast<uint64_t>(rank.rank / kStages);
        message.communicator_rank = rank.rank % kStages;
        message.communicator_size = kStages;
        message.step = step;
      }
    }
  }
  void spend(int rank, LedgerRow row, Nanoseconds time, double kernels = 0, int32_t step = 1) {
    run.ranks()[rank].steps[step].cells.push_back({Phase::kForward, row, time});
    run.ranks()[rank].steps[step].work.kernels += kernels;
  }
  void run_kernels(int rank, Nanoseconds each) {
    run.ranks()[rank].kernel_names = {"gemm"};
    run.ranks()[rank].kernels.assign(3, {{0, SpanClass::kCompute, 10, 10 * each, each}});
  }
  // Of 1000 ns and kernels that the rank spent between its messages of these steps.
  SpentTime typical(uint32_t rank, LedgerRow row, uint32_t from = 1, uint32_t to = 1) {
    const std::vector<MatchedCollective> matches = match_collectives(run.ranks());
    const PipelineStages stages(run.ranks(), matches);
    SpentTime spent;
    spent.rows[static_cast<size_t>(row)] = 1000;
    spent.work.kernels = 1000;
    StageLoads(run.ranks(), stages).take_excess(rank, from, to, spent);
    return spent;
  }
  Nanoseconds typical_time(uint32_t rank, LedgerRow row, uint32_t from = 1, uint32_t to = 1) {
    return typical(rank, row, from, to).rows[static_cast<size_t>(row)];
  }

  RunBuilder run;
};

class TwoReplicasTest : public StageLoadsTest {
 protected:
  TwoReplicasTest() : StageLoadsTest(2) {}
};

constexpr LedgerRow kCompute = LedgerRow::kCompute, kStall = LedgerRow::kIdleHostStall;

TEST_F(StageLoadsTest, MatchTheHeadersExample) {
  for (const int rank : {0, 1, 2}) spend(rank, kCompute, 20, 200);
  spend(3, kCompute, 30, 300);
  spend(1, kStall, 10);
  EXPECT_NEAR(typical_time(3, kCompute), 667, 1);
  EXPECT_NEAR(typical(3, kCompute).work.kernels, 667, 1);
  EXPECT_EQ(typical_time(1, kStall), 0);
  for (const uint32_t rank : {0u, 1u, 2u}) EXPECT_EQ(typical_time(rank, kCompute), 1000);
}

// A first stage that loads and copies its batch in each step, and waits for its loader in one of them.
TEST_F(StageLoadsTest, OrdinaryInputIsWorkOfAStageAtAnEnd) {
  for (int32_t step = 0; step < 3; ++step) {
    for (int rank = 0; rank < kStages; ++rank) spend(rank, kCompute, 200, 0, step);
    spend(0, LedgerRow::kExposedCopy, step == 2 ? 150 : 30, 0, step);
    for (const int rank : {0, 1}) spend(rank, LedgerRow::kIdleDataWait, step == 2 ? 40 : 5, 0, step);
  }
  EXPECT_EQ(typical_time(0, LedgerRow::kExposedCopy), 1000) << "as in other steps";
  EXPECT_EQ(typical_time(0, LedgerRow::kIdleDataWait), 1000) << "little beside what it computes";
  EXPECT_EQ(typical_time(1, LedgerRow::kIdleDataWait), 0) << "stages in between have no input";
  EXPECT_EQ(typical_time(0, LedgerRow::kExposedCopy, 2, 2), 200) << "five times what it usually copies";
  EXPECT_EQ(typical_time(0, LedgerRow::kIdleDataWait, 2, 2), 0) << "more than loading takes";
}

TEST_F(StageLoadsTest, TheSameKernelsTakingLongerAreNoMoreWork) {
  for (const int rank : {0, 2, 3}) spend(rank, kCompute, 20, 200);
  spend(1, kCompute, 25, 200);
  EXPECT_EQ(typical_time(1, kCompute), 800);
  EXPECT_EQ(typical(1, kCompute).work.kernels, 1000);
}

TEST_F(StageLoadsTest, KernelsThatTakeLongerThanOnOtherStagesAreNoLoad) {
  for (const int rank : {0, 1, 2}) spend(rank, kCompute, 130, rank == 0 ? 260 : 200);
  spend(3, kCompute, 100, 200);
  for (const int rank : {0, 1, 2, 3}) run_kernels(rank, rank == 1 || rank == 2 ? 13 : 10);
  for (const uint32_t rank : {0u, 1u, 2u}) EXPECT_NEAR(typical_time(rank, kCompute), 769, 1);
  EXPECT_NEAR(typical(0, kCompute).work.kernels, 769, 1);
  EXPECT_EQ(typical(1, kCompute).work.kernels, 1000);
  EXPECT_EQ(typical_time(3, kCompute), 1000);
}

TEST_F(StageLoadsTest, OneKernelThatHasMoreToDoIsNotASlowDevice) {
  for (const int rank : {0, 1, 2, 3}) {
    spend(rank, kCompute, 104, 200);
    run_kernels(rank, rank == 3 ? 13 : 10);
    run.ranks()[rank].kernel_names.push_back("norm");
    for (auto& table : run.ranks()[rank].kernels) table.push_back({1, SpanClass::kCompute, 10, 20, 2});
  }
  EXPECT_EQ(typical_time(3, kCompute), 1000);
}

TEST_F(StageLoadsTest, AFewPercentAreNotAnImbalance) {
  for (const int rank : {0, 1, 2}) spend(rank, kCompute, 100, 200);
  spend(3, kCompute, 104, 210);
  EXPECT_EQ(typical_time(3, kCompute), 1000);
}

TEST_F(StageLoadsTest, AShortStallIsNotInTheNatureOfStages) {
  for (const int rank : {0, 1, 2, 3}) spend(rank, kCompute, 100, 200);
  spend(1, kStall, 4);
  EXPECT_EQ(typical_time(1, kStall), 0);
}

TEST_F(StageLoadsTest, AStageIsComparedWithItsOtherSteps) {
  for (const int rank : {0, 1, 2, 3})
    for (const int32_t step : {0, 1, 2}) spend(rank, kCompute, rank == 2 && step == 1 ? 104 : 100, 200, step);
  EXPECT_NEAR(typical_time(2, kCompute), 962, 1);
  EXPECT_EQ(typical_time(2, kCompute, 2, 2), 1000);
}

TEST_F(StageLoadsTest, AStepThatIsLongerForAllIsNobodys) {
  for (const int rank : {0, 1, 2, 3})
    for (const int32_t step : {0, 1, 2}) spend(rank, kCompute, step == 1 ? 130 : 100, 200, step);
  for (const uint32_t rank : {0u, 1u, 2u, 3u}) EXPECT_EQ(typical_time(rank, kCompute), 1000);
}

TEST_F(StageLoadsTest, WaitingIsNoLoad) {
  for (const int rank : {0, 1, 2, 3}) spend(rank, kCompute, 100);
  spend(2, LedgerRow::kExposedCommUnsplit, 50);
  EXPECT_EQ(typical_time(2, LedgerRow::kExposedCommUnsplit), 1000);
}

TEST_F(StageLoadsTest, AWaitForInputBeforeAStepCountsAtTheStepsFirstMessage) {
  for (const int rank : {0, 1, 2, 3})
    for (const int32_t step : {0, 1}) spend(rank, kCompute, 100, 0, step);
  spend(0, LedgerRow::kIdleDataWait, 50, 0, 0);
  EXPECT_EQ(typical_time(0, LedgerRow::kIdleDataWait, 0, 1), 0);
  EXPECT_EQ(typical_time(0, LedgerRow::kIdleDataWait, 1, 1), 1000);
}

TEST_F(TwoReplicasTest, OneSlowRankIsNotAStageImbalance) {
  for (int rank = 0; rank < 8; ++rank) spend(rank, kCompute, rank == 6 ? 40 : 20, 200);
  EXPECT_EQ(typical_time(6, kCompute), 1000);
}

TEST_F(TwoReplicasTest, NothingIsReportedWhenAStageIsMissing) {
  for (const int rank : {2, 3, 6, 7})
    for (RankStep& step : run.ranks()[rank].steps) step.device.reset();
  for (const int rank : {0, 1, 4, 5}) spend(rank, kCompute, rank % 4 == 1 ? 40 : 20, 200);
  EXPECT_EQ(typical_time(1, kCompute), 1000);
}

}  // namespace
}  // namespace tauprof
