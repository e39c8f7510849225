// Which steps of different ranks belong together.
#include "metrics/collectives/step_agreement.h"

#include <gtest/gtest.h>

namespace tauprof {
namespace {

// A rank with `steps` steps of one collective each.
RankTimeline rank_of(int32_t number, int steps, const std::string& source = "optimizer") {
  RankTimeline rank;
  rank.rank = number;
  rank.steps_source = source;
  for (int i = 0; i < steps; ++i) {
    RankStep step;
    step.number = i;
    rank.steps.push_back(step);
    RankCollective collective;
    collective.step = i;
    rank.collectives.push_back(collective);
  }
  return rank;
}

std::vector<int64_t> numbers_of(const RankTimeline& rank) {
  std::vector<int64_t> numbers;
  for (const RankStep& step : rank.steps) numbers.push_back(step.number);
  return numbers;
}

// Collective i of rank 0 is collective i − shift of rank 1.
std::vector<MatchedCollective> matches_of(int count, int shift) {
  std::vector<MatchedCollective> matches;
  for (int i = shift; i < count; ++i) {
    MatchedCollective match;
    match.members = {{0, static_cast<uint32_t>(i)}, {1, static_cast<uint32_t>(i - shift)}};
    matches.push_back(match);
  }
  return matches;
}

TEST(StepAgreement, ShiftsARankThatStartedLate) {
  std::vector<RankTimeline> ranks{rank_of(0, 6), rank_of(1, 4)};
  const StepAgreement agreement = agree_on_steps(ranks, matches_of(6, 2));
  EXPECT_EQ(agreement.shifted, (std::vector<int32_t>{1}));
  EXPECT_TRUE(agreement.disagreeing.empty());
  EXPECT_EQ(numbers_of(ranks[1]), (std::vector<int64_t>{2, 3, 4, 5}));
}

TEST(StepAgreement, LeavesMarkedStepsAlone) {
  std::vector<RankTimeline> ranks{rank_of(0, 6, "marker step"), rank_of(1, 4, "marker step")};
  EXPECT_TRUE(agree_on_steps(ranks, matches_of(6, 2)).shifted.empty());
  EXPECT_EQ(numbers_of(ranks[1]), (std::vector<int64_t>{0, 1, 2, 3}));
}

TEST(StepAgreement, ReportsARankWithDifferentSteps) {
  std::vector<RankTimeline> ranks{rank_of(0, 6), rank_of(1, 6)};
  for (size_t i = 0; i < ranks[1].collectives.size(); ++i) ranks[1].collectives[i].step = static_cast<int32_t>(i / 2);
  EXPECT_EQ(agree_on_steps(ranks, matches_of(6, 0)).disagreeing, (std::vector<int32_t>{1}));
}

}  // namespace
}  // namespace tauprof
