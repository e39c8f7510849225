// Sizes and factors as nccl-tests defines them.
#include "metrics/collectives/bandwidth.h"

#include <gtest/gtest.h>

namespace tauprof {
namespace {

using log::DataType;
using log::Operation;

TEST(Bandwidth, CountsThePartsOfAllRanksWhereEachHasItsOwn) {
  for (Operation operation : {Operation::kAllGather, Operation::kReduceScatter, Operation::kAllToAll,
                              Operation::kGather, Operation::kScatter})
    EXPECT_EQ(collective_bytes(operation, 1000, DataType::kFloat32, 4), 16'000);
  for (Operation operation :
       {Operation::kAllReduce, Operation::kBroadcast, Operation::kReduce, Operation::kSendReceive})
    EXPECT_EQ(collective_bytes(operation, 1000, DataType::kFloat32, 4), 4'000);
}

TEST(Bandwidth, ScalesOperationsByTheBytesThatCrossALink) {
  EXPECT_DOUBLE_EQ(bus_factor(Operation::kAllReduce, 4), 1.5);
  EXPECT_DOUBLE_EQ(bus_factor(Operation::kAllGather, 4), 0.75);
  EXPECT_DOUBLE_EQ(bus_factor(Operation::kReduceScatter, 4), 0.75);
  EXPECT_DOUBLE_EQ(bus_factor(Operation::kAllToAll, 4), 0.75);
  EXPECT_DOUBLE_EQ(bus_factor(Operation::kBroadcast, 4), 1);
  EXPECT_DOUBLE_EQ(bus_factor(Operation::kReduce, 4), 1);
  EXPECT_DOUBLE_EQ(bus_factor(Operation::kSendReceive, 2), 1);
  EXPECT_DOUBLE_EQ(bus_factor(Operation::kAllReduce, 1), 0);
}

TEST(Bandwidth, KnowsTheSizesOfTypes) {
  EXPECT_EQ(size_of(DataType::kFloat8E4M3), 1);
  EXPECT_EQ(size_of(DataType::kBfloat16), 2);
  EXPECT_EQ(size_of(DataType::kFloat32), 4);
  EXPECT_EQ(size_of(DataType::kInt64), 8);
  EXPECT_EQ(size_of(DataType::kUnknown), 0);
}

TEST(Bandwidth, OnlyAllPairsOperationsNeedEveryMember) {
  for (Operation operation :
       {Operation::kAllReduce, Operation::kAllGather, Operation::kReduceScatter, Operation::kAllToAll})
    EXPECT_TRUE(is_all_pairs(operation));
  for (Operation operation : {Operation::kBroadcast, Operation::kReduce, Operation::kGather, Operation::kScatter,
                              Operation::kSend, Operation::kReceive, Operation::kSendReceive})
    EXPECT_FALSE(is_all_pairs(operation));
}

}  // namespace
}  // namespace tauprof
