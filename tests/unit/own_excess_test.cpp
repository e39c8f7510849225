// The time that ranks take by themselves in excess of others, and who is a suspect for it.
#include "metrics/stragglers/own_excess.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

#include "metrics/stragglers/stragglers.h"
#include "run_builder.h"

namespace tauprof {
namespace {

class OwnExcessTest : public testing::Test {
 protected:
  using Found = std::map<uint32_t, std::map<Cause, int>>;
  static constexpr int32_t kSteps = 12;
  static constexpr Nanoseconds kStep = 100'000, kWaits = 10'000;

  void make(int ranks, bool is_pipeline = false) {
    run_ = RunBuilder(ranks);
    for (RankTimeline& rank : run_.ranks()) {
      rank.steps.assign(kSteps, {});
      for (int32_t step = 0; step < kSteps; ++step) {
        rank.steps[step].number = step;
        rank.steps[step].device = {kStep * step, kStep * (step + 1)};
        rank.steps[step].cells.push_back({Phase::kBackward, LedgerRow::kExposedCommWait, kWaits});
      }
    }
    for (int rank = 0; is_pipeline && rank < ranks; ++rank)
      for (const int peer : {rank - 1, rank + 1})
        if (peer >= 0 && peer < ranks) run_.message(rank, 0, 10, peer, rank < peer);
  }
  void spend(int rank, int32_t step, LedgerRow row, Nanoseconds time) {
    run_.ranks()[rank].steps[step].cells.push_back({Phase::kForward, row, time});
  }
  void compute(std::mt19937& random, double noise) {
    std::normal_distribution<double> length(50'000, 50'000 * noise);
    for (size_t rank = 0; rank < run_.ranks().size(); ++rank)
      for (int32_t step = 0; step < kSteps; ++step)
        spend(static_cast<int>(rank), step, LedgerRow::kCompute, std::llround(length(random)));
  }
  StepSelection steps() const {
    StepSelection steps;
    for (int32_t step = 0; step < kSteps; ++step) {
      steps.analysed.push_back({step, double{kStep}, double{kStep}});
      steps.numbers.insert(step);
    }
    return steps;
  }
  // The causes and the number of steps, by rank.
  std::map<uint32_t, std::map<Cause, int>> found() {
    const StepSelection all = steps();
    std::map<uint32_t, std::map<Cause, int>> found;
    for (const OwnExcess& one :
         own_times(run_.ranks(), match_collectives(run_.ranks()), all, TelemetryCauses(run_.ranks(), all)).excess)
      ++found[one.rank][one.cause];
    return found;
  }
  std::vector<int32_t> suspects() {
    std::vector<int32_t> ranks;
    for (const Straggler& one : find_stragglers(run_.ranks(), match_collectives(run_.ranks()), steps()).suspects)
      ranks.push_back(one.rank);
    return ranks;
  }

  RunBuilder run_{0};
};

constexpr LedgerRow kAllocation = LedgerRow::kIdleHostAllocation;

TEST_F(OwnExcessTest, TheHeadersExample) {
  make(4);
  for (const int32_t step : {2, 5, 8}) spend(3, step, kAllocation, 26'000);
  EXPECT_EQ(found(), (Found{{3, {{Cause::kAllocation, 3}}}}));
  EXPECT_EQ(suspects(), std::vector<int32_t>{3});
}

TEST_F(OwnExcessTest, NoiseIsNoExcess) {
  int false_alarms = 0;
  for (unsigned seed = 0; seed < 200; ++seed) {
    std::mt19937 random(seed);
    make(2 + static_cast<int>(seed) % 7, seed % 2 == 0);
    compute(random, 0.05);
    false_alarms += !found().empty();
  }
  EXPECT_LE(false_alarms, 2);
}

TEST_F(OwnExcessTest, TwoStagesThatAreSlowInTurnsAreBothFound) {
  std::mt19937 random(1);
  make(2, true);
  compute(random, 0.004);
  for (int32_t step = 1; step < kSteps; ++step)
    spend(step % 2, step, LedgerRow::kCompute, step % 2 == 1 ? 5'000 : 13'000);
  EXPECT_EQ(found(), (Found{{0, {{Cause::kSlowCompute, 5}}}, {1, {{Cause::kSlowCompute, 6}}}}));
  EXPECT_EQ(suspects(), (std::vector<int32_t>{0, 1}));
}

TEST_F(OwnExcessTest, WhatDevicesOfOneKindDifferByIsNoExcess) {
  make(4);
  for (int rank = 0; rank < 4; ++rank)
    for (int32_t step = 0; step < kSteps; ++step) spend(rank, step, LedgerRow::kCompute, rank == 2 ? 50'900 : 50'000);
  EXPECT_EQ(found(), Found{});
}

TEST_F(OwnExcessTest, WhatMostRanksHaveInAStepMakesNoneOfThemASuspect) {
  make(4);
  for (const int rank : {0, 1, 2}) spend(rank, 3, kAllocation, 80'000);
  EXPECT_EQ(suspects(), std::vector<int32_t>{});
}

TEST_F(OwnExcessTest, WhatMostRanksHaveInTurnsIsForTheReplay) {
  make(4);
  for (const int rank : {0, 1, 2}) spend(rank, 3 + rank, kAllocation, 80'000);
  EXPECT_EQ(suspects(), (std::vector<int32_t>{0, 1, 2}));
}

TEST_F(OwnExcessTest, OfASingleStepMoreIsNeeded) {
  make(4);
  for (RankTimeline& rank : run_.ranks()) rank.steps.resize(1);
  StepSelection one;
  one.analysed.push_back({0, double{kStep}, double{kStep}});
  one.numbers.insert(0);
  const auto are_suspects = [&] {
    return find_stragglers(run_.ranks(), match_collectives(run_.ranks()), one).suspects.size();
  };
  spend(1, 0, kAllocation, 4'000);  // 4 % of the rank's time
  EXPECT_EQ(are_suspects(), 0u);
  spend(1, 0, kAllocation, 2'000);
  EXPECT_EQ(are_suspects(), 1u);
}

TEST_F(OwnExcessTest, WhereNobodyWaitsNobodyHoldsUpOthers) {
  make(4);
  for (const int32_t step : {2, 5, 8}) spend(3, step, kAllocation, 26'000);
  for (int rank = 0; rank < 3; ++rank)
    for (RankStep& step : run_.ranks()[rank].steps) step.cells.erase(step.cells.begin());
  EXPECT_EQ(suspects(), std::vector<int32_t>{});
}

// In some steps its loader is called after the step, in others before.
TEST_F(OwnExcessTest, WhatIsMissingOnAnotherRowIsNoExcess) {
  make(4);
  for (int rank = 0; rank < 4; ++rank)
    for (int32_t step = 0; step < kSteps; ++step)
      spend(rank, step, rank == 3 && step % 3 == 0 ? LedgerRow::kIdleHostSync : LedgerRow::kIdleDataWait, 9'000);
  EXPECT_EQ(found(), Found{});
}

TEST_F(OwnExcessTest, LittleMakesNoSuspect) {
  make(4);
  spend(1, 3, kAllocation, 5'000);  // 0.4 % of the rank's time
  EXPECT_EQ(found(), (Found{{1, {{Cause::kAllocation, 1}}}}));
  EXPECT_EQ(suspects(), std::vector<int32_t>{});
}

}  // namespace
}  // namespace tauprof
