// Which ranks are blamed for more than chance puts on them.
#include "metrics/stragglers/more_than_chance.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "metrics/statistics/distributions.h"

namespace tauprof {
namespace {

class MoreThanChanceTest : public testing::Test {
 protected:
  using Ranks = std::vector<size_t>;
  static constexpr size_t kSteps = 12;

  void make(size_t ranks) { ranks_.resize(ranks); }
  // In each step one rank, by chance, is blamed for a time that has a long tail.
  void jitter(unsigned seed, Cause cause = Cause::kSlowCompute) {
    std::mt19937 random(seed);
    for (size_t step = 0; step < kSteps; ++step) {
      const double time = -std::log((static_cast<double>(random() % 1000) + 1) / 1001);
      blame(random() % ranks_.size(), step, time, cause);
    }
  }
  void blame(size_t rank, size_t step, double ns, Cause cause = Cause::kSlowCompute) {
    ranks_[rank].by_step[step][static_cast<size_t>(cause)] += ns;
    ranks_[rank].by_cause[static_cast<size_t>(cause)] += ns;
  }
  std::vector<size_t> found(double total_ns = 100) const {
    std::vector<size_t> found;
    const std::vector<bool> is_found = blamed_for_more_than_chance(ranks_, kSteps, total_ns);
    for (size_t rank = 0; rank < is_found.size(); ++rank)
      if (is_found[rank]) found.push_back(rank);
    return found;
  }

  std::vector<RankBlame> ranks_;
};

TEST_F(MoreThanChanceTest, JitterFindsSomebodyInOneOfAHundredRuns) {
  size_t false_alarms = 0;
  for (unsigned seed = 0; seed < 500; ++seed) {
    ranks_.clear();
    make(2 + seed % 7);
    jitter(seed);
    false_alarms += !found().empty();
  }
  EXPECT_LE(false_alarms, 5u);
}

TEST_F(MoreThanChanceTest, ALongDelayInOneStepIsFound) {
  make(8);
  jitter(1);
  blame(3, 5, 60);
  EXPECT_EQ(found(), Ranks{3});
}

TEST_F(MoreThanChanceTest, AShortDelayInEachStepIsFound) {
  make(8);
  jitter(1);
  for (size_t step = 0; step < kSteps; ++step) blame(6, step, 5);
  EXPECT_EQ(found(), Ranks{6});
}

TEST_F(MoreThanChanceTest, TwoLateRanksDoNotHideEachOther) {
  make(8);
  jitter(1);
  for (size_t step = 0; step < kSteps; ++step) blame(step % 2 == 0 ? 2 : 7, step, 15);
  EXPECT_EQ(found(), (Ranks{2, 7}));
}

TEST_F(MoreThanChanceTest, EachCauseIsTestedByItself) {
  make(2);
  for (size_t step = 0; step < kSteps; ++step) {
    blame(0, step, 5, Cause::kHostStall);
    blame(1, step, 1, Cause::kThrottled);
  }
  EXPECT_EQ(found(), (Ranks{0, 1}));
}

// Of two stages of a pipeline one has the loss, so what it computes longer is always more, and the other's always slow.
TEST_F(MoreThanChanceTest, SlowAndMoreKernelsHaveTheSameJitter) {
  make(2);
  for (size_t step = 0; step < kSteps; step += 3) {
    blame(0, step, 2, Cause::kSlowCompute);
    blame(1, step, 1, Cause::kMoreCompute);
  }
  EXPECT_EQ(found(), Ranks{});
  for (size_t step = 0; step < kSteps; ++step) blame(1, step, 10, Cause::kMoreCompute);
  EXPECT_EQ(found(), Ranks{1});
}

TEST_F(MoreThanChanceTest, WhatCostsNextToNothingIsNotWorthFinding) {
  make(8);
  for (size_t step = 0; step < kSteps; ++step) blame(6, step, 1);
  EXPECT_EQ(found(10'000), Ranks{});
}

TEST(FTailTest, IsNeverLessThanItsBound) {
  for (const double above : {0.02, 2.0, 200.0})
    for (const double below : {0.02, 30.0, 1e7})
      for (const double f : {0.01, 0.9, 1.5, 10.0, 1000.0}) {
        const double tail = f_tail(f, above, below), bound = f_tail_at_least(f, above, below);
        EXPECT_LE(bound, tail * (1 + 1e-6)) << f << " " << above << " " << below;
        // It tells what is not one in billions from what may be.
        if (f >= 0.9 && tail > 1e-2) {
          EXPECT_GE(bound, 1e-9) << f << " " << above << " " << below;
        }
      }
}

}  // namespace
}  // namespace tauprof
