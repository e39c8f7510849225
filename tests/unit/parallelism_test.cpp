// The purposes of communicators, told from what they carry.
#include "metrics/collectives/parallelism.h"

#include <gtest/gtest.h>

#include "metrics/run/sharding_balance.h"
#include "run_builder.h"

namespace tauprof {
namespace {

using log::Operation;

class ParallelismTest : public testing::Test {
 protected:
  ParallelismTest() : run(8) {}

  // All `members` of a communicator carry out the operation for 100 ns.
  void carry(const std::vector<int>& members, uint64_t communicator, Phase phase, Operation operation, int64_t count) {
    for (const int rank : members) {
      RankCollective& own = run.collective(rank, now_, now_ + 100, communicator, operation, count);
      own.communicator_size = static_cast<int32_t>(members.size());
      own.phase = phase;
    }
    now_ += 200;
  }
  void name(uint64_t communicator, const char* text) {
    for (RankTimeline& rank : run.ranks()) rank.communicator_names[communicator] = text;
  }
  std::vector<ParallelGroups> table() { return parallelism_of(run.ranks(), select_steps(run.ranks(), std::nullopt)); }
  ParallelGroups only() {
    const std::vector<ParallelGroups> found = table();
    EXPECT_EQ(found.size(), 1u);
    return found.empty() ? ParallelGroups() : found.front();
  }

  RunBuilder run;

 private:
  Nanoseconds now_ = 1000;
};

TEST_F(ParallelismTest, MatchesTheHeadersExample) {
  for (int pair = 0; pair < 4; ++pair)
    for (const Phase phase : {Phase::kForward, Phase::kBackward})
      carry({2 * pair, 2 * pair + 1}, 10 + static_cast<uint64_t>(pair), phase, Operation::kAllReduce, 10'000'000);
  for (int rank = 0; rank < 2; ++rank)
    carry({rank, rank + 2, rank + 4, rank + 6}, 20 + static_cast<uint64_t>(rank), Phase::kBackward,
          Operation::kAllReduce, 50'000'000);
  const std::vector<ParallelGroups> found = table();
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].kind, Parallelism::kTensor);
  EXPECT_EQ(found[0].groups, 4u);
  EXPECT_EQ(found[0].size, 2);
  EXPECT_DOUBLE_EQ(found[0].calls, 2);
  EXPECT_DOUBLE_EQ(found[0].bytes, 80e6);
  EXPECT_DOUBLE_EQ(found[0].share_of_step, 200.0 / 1'000'000);
  EXPECT_EQ(found[1].kind, Parallelism::kData);
  EXPECT_EQ(found[1].groups, 2u);
  EXPECT_EQ(found[1].size, 4);
}

TEST_F(ParallelismTest, AFewNumbersInForwardAreNoTensorParallelism) {
  carry({0, 1}, 1, Phase::kForward, Operation::kAllReduce, 128);
  carry({0, 1}, 1, Phase::kBackward, Operation::kAllReduce, 1'000'000);
  EXPECT_EQ(only().kind, Parallelism::kData);
}

TEST_F(ParallelismTest, ScattersInForwardAreSequencesBetweenSplitLayers) {
  for (const Phase phase : {Phase::kForward, Phase::kBackward})
    for (const Operation operation : {Operation::kAllGather, Operation::kReduceScatter})
      carry({0, 1}, 1, phase, operation, 1'000'000);
  EXPECT_EQ(only().kind, Parallelism::kTensor);
  EXPECT_TRUE(only().has_sequences);
}

TEST_F(ParallelismTest, WeightsGatheredForEachPassOrOnce) {
  carry({0, 1, 2, 3}, 1, Phase::kForward, Operation::kAllGather, 1'000'000);
  carry({0, 1, 2, 3}, 1, Phase::kBackward, Operation::kReduceScatter, 1'000'000);
  EXPECT_EQ(only().kind, Parallelism::kSharded);
  EXPECT_EQ(only().sharding, Sharding::kWeightsOnce);
  carry({0, 1, 2, 3}, 1, Phase::kBackward, Operation::kAllGather, 1'000'000);
  EXPECT_EQ(only().sharding, Sharding::kWeightsEachPass);
}

TEST_F(ParallelismTest, AShardedOptimizerGathersWhatItUpdated) {
  carry({0, 1, 2, 3}, 1, Phase::kBackward, Operation::kReduceScatter, 1'000'000);
  EXPECT_EQ(only().kind, Parallelism::kData);
  carry({0, 1, 2, 3}, 1, Phase::kOptimStep, Operation::kAllGather, 1'000'000);
  EXPECT_EQ(only().sharding, Sharding::kOptimizer);
}

TEST_F(ParallelismTest, OneCommunicatorMayServeSeveralPurposes) {
  carry({0, 1}, 1, Phase::kBackward, Operation::kAllReduce, 1'000'000);
  carry({0, 1}, 1, Phase::kForward, Operation::kAllToAll, 1'000'000);
  std::vector<ParallelGroups> found = table();
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].kind, Parallelism::kData);
  EXPECT_EQ(found[1].kind, Parallelism::kExchange);
  for (const int rank : {0, 1}) {
    run.ranks()[rank].collectives.back().rare.edit().bytes_out = 1000;
    run.ranks()[rank].collectives.back().rare.edit().bytes_in = 3000;
  }
  EXPECT_EQ(table()[1].kind, Parallelism::kExpert);
}

TEST_F(ParallelismTest, MessagesOneWayAreAPipelineAndAroundARingAreNot) {
  run.message(0, 0, 10, 1, true);
  run.message(1, 0, 10, 0, false);
  EXPECT_EQ(only().kind, Parallelism::kPipeline);
  for (const int rank : {0, 1})
    run.ranks()[rank].collectives.back().rare.edit().peer_calls = {{1 - rank, true, 1}, {1 - rank, false, 1}};
  EXPECT_EQ(only().kind, Parallelism::kOther);
}

TEST_F(ParallelismTest, ANameIsBelieved) {
  carry({0, 1}, 7, Phase::kBackward, Operation::kAllReduce, 1'000'000);
  name(7, "TENSOR_MODEL_PARALLEL_GROUP");
  EXPECT_EQ(only().kind, Parallelism::kTensor);
  EXPECT_TRUE(only().is_by_name);
  name(7, "mesh_cp");
  EXPECT_EQ(only().kind, Parallelism::kSequence);
  name(7, "default_pg");
  EXPECT_EQ(only().kind, Parallelism::kData);
  EXPECT_FALSE(only().is_by_name);
  name(7, "EXPERT_DATA_PARALLEL_GROUP");
  EXPECT_EQ(only().kind, Parallelism::kData) << "two words";
}

MemoryOfRank memory_of(int64_t peak, int64_t device) {
  MemoryOfRank memory;
  memory.peak_bytes = peak;
  memory.device_bytes = device;
  return memory;
}

TEST(ShardingBalance, MatchesTheHeadersExample) {
  constexpr int64_t kGiga = 1'000'000'000;
  ParallelGroups sharded;
  sharded.sharding = Sharding::kWeightsEachPass;
  sharded.size = 8;
  sharded.forward_gather_bytes = 8e9;
  sharded.forward_gather_ns = sharded.backward_gather_ns = 30e6;
  sharded.compute_ns = 120e6;
  const ShardingBalance fits = sharding_balance({sharded}, {memory_of(40 * kGiga, 80 * kGiga)}).at(0);
  EXPECT_EQ(fits.kept_bytes, 7 * kGiga);
  EXPECT_DOUBLE_EQ(*fits.kept_share_of_device, 47.0 / 80);
  EXPECT_EQ(fits.would_fit(), true);
  EXPECT_DOUBLE_EQ(fits.gathers_over_compute(), 0.5);
  EXPECT_EQ(sharding_balance({sharded}, {memory_of(70 * kGiga, 80 * kGiga)}).at(0).would_fit(), false);
  EXPECT_FALSE(sharding_balance({sharded}, {}).at(0).would_fit());
  sharded.sharding = Sharding::kWeightsOnce;
  EXPECT_FALSE(sharding_balance({sharded}, {}).at(0).kept_bytes);
}

}  // namespace
}  // namespace tauprof
