// More work to compute, or the same work computed more slowly.
#include "metrics/stragglers/more_work.h"

#include <gtest/gtest.h>

namespace tauprof {
namespace {

const ComputeSpending kTypical{{100, 3e12, 1e9}, 60};

bool is_more(const ComputeWork& work, Nanoseconds time) {
  return why_longer({work, time}, kTypical, work - kTypical.work) == Cause::kMoreCompute;
}

TEST(MoreWork, MatchesTheHeadersExample) {
  EXPECT_TRUE(is_more({100, 5e12, 1e9}, 90));
  EXPECT_FALSE(is_more({100, 3.1e12, 1e9}, 90));
}

TEST(MoreWork, CountsLargerGridsAndMoreKernels) {
  EXPECT_TRUE(is_more({100, 3e12, 2e9}, 90));
  EXPECT_TRUE(is_more({101, 3e12, 1e9}, 90));
}

TEST(MoreWork, IsNoneWhenTheSameWorkTakesLonger) { EXPECT_FALSE(is_more(kTypical.work, 90)); }

TEST(MoreWork, IsNoneWhenARankOnlyCatchesUp) {
  EXPECT_EQ(why_longer({{200, 6e12, 2e9}, 120}, kTypical, {}), Cause::kSlowCompute);
  EXPECT_EQ(why_longer({{200, 6e12, 2e9}, 120}, kTypical, {40, 1e12, 0.4e9}), Cause::kSlowCompute);
  EXPECT_EQ(why_longer({{200, 6e12, 2e9}, 120}, kTypical, {0, 2e12, 0}), Cause::kMoreCompute);
}

TEST(MoreWork, IsEverythingWhenPeersComputedNothing) {
  EXPECT_EQ(why_longer({{0, 1e12, 0}, 20}, {}, {0, 1e12, 0}), Cause::kMoreCompute);
}

TEST(MoreWork, CountsKernelsWithoutRecordedSizes) {
  EXPECT_EQ(why_longer({{100, 0, 0}, 90}, {{100, 0, 0}, 60}, {}), Cause::kSlowCompute);
}

TEST(MoreWork, LargerExchangesAreMoreTokens) {
  const ComputeSpending typical{{100, 3e12, 1e9}, 60, 3e6};
  EXPECT_EQ(why_longer({{100, 3e12, 1e9}, 90, 5e6}, typical, {}), Cause::kMoreTokens) << "the header's example";
  EXPECT_EQ(why_longer({{100, 5e12, 1e9}, 90, 5e6}, typical, {0, 2e12, 0}), Cause::kMoreTokens) << "larger products";
  EXPECT_EQ(why_longer({{100, 3e12, 1e9}, 90, 3.1e6}, typical, {}), Cause::kSlowCompute) << "too few to explain it";
  EXPECT_EQ(why_longer({{120, 3e12, 1e9}, 90, 5e6}, typical, {20, 0, 0}), Cause::kMoreCompute) << "a layer more";
}

TEST(MoreWork, ExchangesAreWhatLeavesARankOrComesToIt) {
  RankCollective unit;
  unit.communicator_size = 4;
  unit.count = 1000;
  unit.datatype = log::DataType::kBfloat16;
  unit.operation = log::Operation::kAllReduce;
  EXPECT_EQ(exchanged_bytes(unit), 0);
  unit.operation = log::Operation::kAllToAll;
  EXPECT_EQ(exchanged_bytes(unit), 6000);
  unit.rare.edit().bytes_out = 7000;
  EXPECT_EQ(exchanged_bytes(unit), 7000);
  unit.rare.edit().bytes_in = 9000;
  EXPECT_EQ(exchanged_bytes(unit), 9000);
}

TEST(ComputeWork, TypicalIsTheLowerMedianOfEachMeasure) {
  const ComputeWork median = lower_median({{1, 40, 7}, {2, 30, 8}, {3, 20, 9}, {4, 10, 6}});
  EXPECT_EQ(median.kernels, 2);
  EXPECT_EQ(median.flops, 20);
  EXPECT_EQ(median.threads, 7);
}

}  // namespace
}  // namespace tauprof
