// More work to compute, or the same work computed more slowly.
#include "metrics/stragglers/more_work.h"

#include <gtest/gtest.h>

namespace tauprof {
namespace {

const ComputeSpending kTypical{{100, 3e12, 1e9}, 60};

bool is_more(const ComputeWork& work, Nanoseconds time) {
  return is_more_work({work, time}, kTypical, work - kTypical.work);
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
  EXPECT_FALSE(is_more_work({{200, 6e12, 2e9}, 120}, kTypical, {}));
  EXPECT_FALSE(is_more_work({{200, 6e12, 2e9}, 120}, kTypical, {40, 1e12, 0.4e9}));
  EXPECT_TRUE(is_more_work({{200, 6e12, 2e9}, 120}, kTypical, {0, 2e12, 0}));
}

TEST(MoreWork, IsEverythingWhenPeersComputedNothing) {
  EXPECT_TRUE(is_more_work({{0, 1e12, 0}, 20}, {}, {0, 1e12, 0}));
}

TEST(MoreWork, CountsKernelsWithoutRecordedSizes) {
  EXPECT_FALSE(is_more_work({{100, 0, 0}, 90}, {{100, 0, 0}, 60}, {}));
}

TEST(ComputeWork, TypicalIsTheLowerMedianOfEachMeasure) {
  const ComputeWork median = lower_median({{1, 40, 7}, {2, 30, 8}, {3, 20, 9}, {4, 10, 6}});
  EXPECT_EQ(median.kernels, 2);
  EXPECT_EQ(median.flops, 20);
  EXPECT_EQ(median.threads, 7);
}

}  // namespace
}  // namespace tauprof
