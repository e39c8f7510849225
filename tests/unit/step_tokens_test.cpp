// Tokens of a step, by what PyTorch says that one call of the model gets.
#include "metrics/input/step_tokens.h"

#include <gtest/gtest.h>

#include "metrics/input/input_copies.h"
#include "trace_builder.h"

namespace tauprof {
namespace {

class StepTokensTest : public testing::Test {
 protected:
  // Two ranks with ten steps each; every call gets 8 texts of 512 tokens.
  StepTokensTest() : ranks_(2) {
    for (RankTimeline& rank : ranks_) {
      rank.settings = {{"module.tokens", "4096"}, {"module.sequences", "8"}};
      for (int64_t number = 0; number < 10; ++number) {
        RankStep step;
        step.number = number;
        step.batches = step.backward_passes = 4;
        step.batch_bytes = 4 * 32768;
        rank.steps.push_back(step);
        steps_.numbers.insert(number);
      }
    }
  }
  std::optional<StepTokens> tokens() const { return step_tokens({&ranks_[0], &ranks_[1]}, steps_); }

  std::vector<RankTimeline> ranks_;
  StepSelection steps_;
};

TEST_F(StepTokensTest, AreThoseOfAllMicroBatches) {
  ASSERT_TRUE(tokens());
  EXPECT_EQ(tokens()->tokens, 16384);
  EXPECT_EQ(tokens()->sequences, 32);
}

TEST_F(StepTokensTest, AreUnknownWhereLengthsDiffer) {
  for (size_t step : {1u, 4u}) ranks_[1].steps[step].batch_bytes -= 64;
  EXPECT_TRUE(tokens()) << "the last batch of an epoch";
  ranks_[0].steps[7].batch_bytes += 64;
  EXPECT_FALSE(tokens());
  steps_.numbers = {0, 2, 3};
  EXPECT_TRUE(tokens());
}

TEST_F(StepTokensTest, AreUnknownWhereCopiesAreNotThoseOfPasses) {
  for (RankStep& step : ranks_[0].steps) {
    step.batches = 5;
    step.batch_bytes = 5 * 32768;
  }
  EXPECT_FALSE(tokens());
}

TEST_F(StepTokensTest, AreUnknownWhereRanksDifferOrSayNothing) {
  ranks_[1].settings["module.tokens"] = "2048";
  EXPECT_FALSE(tokens());
  ranks_[1].settings.erase("module.tokens");
  EXPECT_FALSE(tokens());
}

TEST(BackwardPasses, AreCountedInTheirStepsOnceEach) {
  TraceBuilder built;
  built.says(MarkKind::kBackward, 10, 20);
  built.says(MarkKind::kBackward, 30, 60);
  built.says(MarkKind::kBackward, 40, 50);  // recomputes a part of the one before
  built.says(MarkKind::kForward, 110, 120);
  built.says(MarkKind::kBackward, 130, 140);
  built.says(MarkKind::kBackward, 180, 190);  // behind the step's own work
  ProcessTrace& trace = built.build();
  trace.steps = {{0, 0, 100}, {1, 100, 200, 170}};
  EXPECT_EQ(backward_passes(trace), (std::vector<uint32_t>{2, 1}));
}

}  // namespace
}  // namespace tauprof
