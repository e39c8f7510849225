// Bandwidths of collectives computed by hand: S / t and the factors of nccl-tests' doc/PERFORMANCE.md. Elements are
// floats.
#include "metrics/collectives/collective_table.h"

#include <gtest/gtest.h>

#include "metrics/collectives/bandwidth.h"
#include "metrics/collectives/collective_waits.h"
#include "run_builder.h"

namespace tauprof {
namespace {

using log::Operation;

std::vector<CollectiveMetrics> table_of(RunBuilder& run) {
  const std::vector<MatchedCollective> matches = match_collectives(run.ranks());
  split_waits(run.ranks(), matches);
  return collective_table(run.ranks(), matches, select_steps(run.ranks(), std::nullopt));
}

// Four ranks, 1000 elements each; rank 0 arrives 300 ns before the others, who take 100 ns.
CollectiveMetrics four_ranks(Operation operation) {
  RunBuilder run(4);
  for (int rank = 0; rank < 4; ++rank) {
    RankCollective& unit = run.collective(rank, rank == 0 ? 0 : 300, 400, 1, operation);
    unit.communicator_size = 4;
    unit.communicator_rank = rank;
    unit.peer = is_all_pairs(operation) ? -1 : 0;
  }
  return table_of(run).at(0);
}

struct Case {
  Operation operation;
  int64_t size;
  double algbw;     // size / 175 ns, the mean span
  double busbw;     // algbw × factor
  double transfer;  // size × factor / 100 ns, the shortest span; 0: undefined
};

class Bandwidths : public testing::TestWithParam<Case> {};

TEST_P(Bandwidths, MatchValuesComputedByHand) {
  const CollectiveMetrics line = four_ranks(GetParam().operation);
  EXPECT_EQ(line.size_bytes, GetParam().size);
  EXPECT_DOUBLE_EQ(*line.algbw_gb_per_s, GetParam().algbw);
  EXPECT_DOUBLE_EQ(*line.busbw_gb_per_s, GetParam().busbw);
  if (GetParam().transfer > 0)
    EXPECT_DOUBLE_EQ(line.busbw_transfer_gb_per_s.value(), GetParam().transfer);
  else
    EXPECT_FALSE(line.busbw_transfer_gb_per_s);
  EXPECT_EQ(line.wait_ns, 300);
  EXPECT_EQ(line.transfer_ns, 400);
  EXPECT_EQ(line.wait_is_upper_bound, GetParam().transfer == 0);
}

INSTANTIATE_TEST_SUITE_P(
    OfEachOperation, Bandwidths,
    testing::Values(Case{Operation::kAllReduce, 4'000, 4'000 / 175.0, 1.5 * 4'000 / 175.0, 60},
                    Case{Operation::kAllGather, 16'000, 16'000 / 175.0, 0.75 * 16'000 / 175.0, 120},
                    Case{Operation::kReduceScatter, 16'000, 16'000 / 175.0, 0.75 * 16'000 / 175.0, 120},
                    Case{Operation::kAllToAll, 16'000, 16'000 / 175.0, 0.75 * 16'000 / 175.0, 120},
                    Case{Operation::kBroadcast, 4'000, 4'000 / 175.0, 4'000 / 175.0, 0},
                    Case{Operation::kReduce, 4'000, 4'000 / 175.0, 4'000 / 175.0, 0},
                    Case{Operation::kGather, 16'000, 16'000 / 175.0, 0.75 * 16'000 / 175.0, 0},
                    Case{Operation::kScatter, 16'000, 16'000 / 175.0, 0.75 * 16'000 / 175.0, 0}));

TEST(CollectiveTable, CountsAMessagesBytesWithoutAFactor) {
  RunBuilder run(2);
  run.message(0, 0, 100, 1, true);  // 4000 bytes
  run.message(1, 60, 100, 0, false);
  const CollectiveMetrics line = table_of(run).at(0);
  EXPECT_EQ(line.size_bytes, 4'000);
  EXPECT_DOUBLE_EQ(*line.busbw_gb_per_s, 4'000 / 70.0);
  EXPECT_FALSE(line.busbw_transfer_gb_per_s);
  EXPECT_EQ(line.wait_ns, 60);
  EXPECT_TRUE(line.wait_is_upper_bound);
}

TEST(CollectiveTable, GivesMeanBytesAndImbalanceOfAnUnequalAllToAll) {
  RunBuilder run(2);
  const int64_t sent[] = {6'000, 2'000};
  for (int rank : {0, 1}) {
    RankCollective& unit = run.collective(rank, 0, 100, 1, Operation::kAllToAll, 0);
    unit.communicator_size = 2;
    unit.rare.edit().bytes_out = sent[rank];
  }
  const CollectiveMetrics line = table_of(run).at(0);
  EXPECT_FALSE(line.size_bytes);
  EXPECT_DOUBLE_EQ(*line.algbw_gb_per_s, 40);
  EXPECT_DOUBLE_EQ(*line.busbw_gb_per_s, 40);
  EXPECT_DOUBLE_EQ(*line.imbalance, 1.5);
}

TEST(CollectiveTable, NamesTheRankThatReceivesMost) {
  RunBuilder run(2);
  const int64_t sent[] = {6'000, 2'000}, received[] = {2'000, 6'000};
  for (int rank : {0, 1}) {
    RankCollective& unit = run.collective(rank, 0, 100, 1, Operation::kAllToAll, 0);
    unit.communicator_size = 2;
    unit.rare.edit().bytes_out = sent[rank];
    unit.rare.edit().bytes_in = received[rank];
  }
  const CollectiveMetrics line = table_of(run).at(0);
  EXPECT_DOUBLE_EQ(*line.imbalance_received, 1.5);
  EXPECT_EQ(line.heaviest_receiver, 1);
}

TEST(CollectiveTable, NamesNoReceiverWhenAMembersReceivesAreUnknown) {
  RunBuilder run(2);
  for (int rank : {0, 1}) {
    RankCollective& unit = run.collective(rank, 0, 100, 1, Operation::kAllToAll, 0);
    unit.communicator_size = 2;
    unit.rare.edit().bytes_out = 1'000 + rank;
    unit.rare.edit().bytes_in = rank * 1'000;
  }
  const CollectiveMetrics line = table_of(run).at(0);
  EXPECT_FALSE(line.imbalance_received);
  EXPECT_EQ(line.heaviest_receiver, -1);
}

TEST(CollectiveTable, CallsAnAllToAllUnequalWhenOneRankSendsLargerParts) {
  RunBuilder run(2);
  for (int rank : {0, 1})
    run.collective(rank, 0, 100, 1, Operation::kAllToAll, rank == 0 ? 1'500 : 500).communicator_size = 2;
  const CollectiveMetrics line = table_of(run).at(0);
  EXPECT_FALSE(line.size_bytes);
  EXPECT_DOUBLE_EQ(*line.busbw_gb_per_s, 40) << "6000 and 2000 bytes to the other rank in 100 ns";
  EXPECT_DOUBLE_EQ(*line.imbalance, 1.5);
}

TEST(CollectiveTable, HasNoTransferBandwidthWhenAMemberIsMissing) {
  RunBuilder run(2);
  run.collective(0, 0, 100).communicator_size = 2;
  const CollectiveMetrics line = table_of(run).at(0);
  EXPECT_DOUBLE_EQ(*line.busbw_gb_per_s, 40);
  EXPECT_FALSE(line.busbw_transfer_gb_per_s);
  EXPECT_FALSE(line.wait_ns);
}

}  // namespace
}  // namespace tauprof
