// Which steps prices are about: those in which it is known how long ranks wait.
#include "replay/known_steps.h"

#include <gtest/gtest.h>

#include "metrics/collectives/collective_waits.h"
#include "run_builder.h"

namespace tauprof {
namespace {

// Two ranks with an all-reduce of 1 us in each of so many steps of 10 us.
class KnownStepsTest : public testing::Test {
 protected:
  static constexpr Nanoseconds kStep = 10'000;

  void record(int rank, int64_t first, int64_t last, Nanoseconds clock_error_from_3 = 0, Nanoseconds length = 1'000) {
    std::vector<RankStep>& steps = run_.ranks()[rank].steps;
    steps.clear();
    for (int64_t number = first; number <= last; ++number) {
      const Nanoseconds start = kStep * number + (number >= 3 ? clock_error_from_3 : 0);
      RankCollective& one = run_.collective(rank, start + 5'000, start + 5'000 + length);
      one.step = static_cast<int32_t>(steps.size());
      one.sequence = number + 1;
      RankStep& step = steps.emplace_back();
      step.number = number;
      step.device = Interval{start, start + kStep};
    }
  }

  KnownSteps known() {
    const std::vector<MatchedCollective> matches = match_collectives(run_.ranks());
    split_waits(run_.ranks(), matches);
    return known_steps(run_.ranks(), matches, select_steps(run_.ranks(), StepRange{0, 7}));
  }

  RunBuilder run_{2};
};

TEST_F(KnownStepsTest, AreAllWhereAllIsKnown) {
  record(0, 0, 7);
  record(1, 0, 7);
  const KnownSteps steps = known();
  EXPECT_EQ(steps.steps.numbers.size(), 8u);
  EXPECT_EQ(steps.left_out(), 0u);
  EXPECT_EQ(steps.limited_to(), "");
}

TEST_F(KnownStepsTest, AreThoseThatThePeerRecorded) {
  record(0, 0, 7);
  record(1, 0, 4);
  const KnownSteps steps = known();
  EXPECT_EQ(steps.steps.numbers, (std::set<int64_t>{0, 1, 2, 3, 4}));
  EXPECT_EQ(steps.steps.analysed.size(), 5u);
  EXPECT_EQ(steps.without_waits, 3u);
  EXPECT_EQ(
      steps.limited_to(),
      "5 of 8 steps: in 3 it is not known how long ranks wait in collectives, as where a member's log lacks them");
}

TEST_F(KnownStepsTest, AreThoseThatAllMembersHave) {
  record(0, 0, 7);
  record(1, 0, 7);
  run_.ranks()[1].steps.pop_back();  // its collective was recorded, the step was not
  run_.ranks()[1].collectives.back().step = kNoStep;
  EXPECT_EQ(known().steps.numbers, (std::set<int64_t>{0, 1, 2, 3, 4, 5, 6}));
}

TEST_F(KnownStepsTest, MayLackWhatIsNegligible) {
  record(0, 0, 7, 0, 250);  // 2.5 % of the step
  record(1, 0, 4, 0, 250);
  EXPECT_EQ(known().left_out(), 0u);
}

TEST_F(KnownStepsTest, EndBeforeAClockJumps) {
  record(0, 0, 7);
  record(1, 0, 7, 5'000);
  const KnownSteps steps = known();
  EXPECT_EQ(steps.steps.numbers, (std::set<int64_t>{0, 1})) << "step 2 ends where the clock has jumped";
  EXPECT_EQ(steps.contradicting, 6u);
  EXPECT_EQ(steps.limited_to(), "2 of 8 steps: in 6, or where they end, the ranks' clocks contradict each other");
}

TEST_F(KnownStepsTest, StayWhereClocksContradictByLittle) {
  record(0, 0, 7);
  record(1, 0, 7, 1'200);  // ends come 0.2 us before starts: 2 % of the step
  EXPECT_EQ(known().left_out(), 0u);
}

TEST_F(KnownStepsTest, StayWhereFewerThanTwoAreKnown) {
  record(0, 0, 7);
  record(1, 0, 0);
  const KnownSteps steps = known();
  EXPECT_EQ(steps.steps.numbers.size(), 8u);
  EXPECT_EQ(steps.left_out(), 0u);
}

TEST_F(KnownStepsTest, AreAllOfASingleRank) {
  record(0, 0, 7);
  for (RankCollective& one : run_.ranks()[0].collectives) one.communicator_size = 1;
  run_.ranks().pop_back();
  EXPECT_EQ(known().left_out(), 0u);
}

}  // namespace
}  // namespace tauprof
