// Which updates complete a round.
#include "step_rounds/step_rounds.h"

#include <gtest/gtest.h>

#include <string>

#include "repeated_text.h"

namespace tauprof {
namespace {

// One letter per optimizer: a small one steps, a capital one is constructed, '-' leaves the one before it out. Returns
// a bar for each step that completes a round, a point for the others.
std::string rounds_while_recording(const std::string& events) {
  StepRounds rounds;
  std::string result;
  for (size_t i = 0; i < events.size(); ++i) {
    if (events[i] == '-')
      rounds.leave(static_cast<uint64_t>(events[i - 1]));
    else if (events[i] < 'a')
      rounds.construct(static_cast<uint64_t>(events[i]) + 'a' - 'A');
    else
      result += rounds.update(static_cast<uint64_t>(events[i])) ? '|' : '.';
  }
  return result;
}

TEST(StepRounds, OfOneOptimizerAreItsSteps) { EXPECT_EQ(rounds_while_recording("Aaaa"), "|||"); }

TEST(StepRounds, OfAlternatingUpdatesEndWithTheSecond) { EXPECT_EQ(rounds_while_recording("CGcgcgcg"), ".|.|.|"); }

TEST(StepRounds, HoldAllStepsOfACriticUpToItsGenerators) {
  EXPECT_EQ(rounds_while_recording("CG" + repeated("cccccg", 3)), repeated(".....|", 3));
}

TEST(StepRounds, WaitForAnOptimizerPerParameter) {
  StepRounds rounds;
  for (uint64_t parameter = 1; parameter <= 200; ++parameter) rounds.construct(parameter);
  for (int step = 0; step < 3; ++step)
    for (uint64_t parameter = 1; parameter <= 200; ++parameter)
      EXPECT_EQ(rounds.update(parameter), parameter == 200) << "step " << step << ", parameter " << parameter;
}

TEST(StepRounds, WaitForAnOptimizerThatStopsFor32StepsOfTheOther) {
  EXPECT_EQ(rounds_while_recording("ABabab" + repeated("a", 40)), ".|.|" + repeated(".", 31) + repeated("|", 9));
}

TEST(StepRounds, WaitForAnOptimizerThatNeverSteps) {
  EXPECT_EQ(rounds_while_recording("AB" + repeated("a", 34)), repeated(".", 31) + "|||");
}

TEST(StepRounds, WaitForAnOptimizerFromItsConstruction) { EXPECT_EQ(rounds_while_recording("AaaBabab"), "||.|.|"); }

TEST(StepRounds, WaitAgainForAnOptimizerThatStepsAgain) {
  EXPECT_EQ(rounds_while_recording("AB" + repeated("a", 40) + "babab").substr(40), ".|.|.")
      << "b starts a round, which a completes";
}

TEST(StepRounds, WaitForNobodyWhoLeft) { EXPECT_EQ(rounds_while_recording("ABabb-aaba"), ".|.||.|"); }

TEST(StepRounds, ForgetOptimizersThatNoLongerCount) {
  StepRounds rounds;
  for (uint64_t inner = 2; inner < 4 * StepRounds::kMostOptimizers; ++inner) {
    rounds.construct(inner);
    rounds.update(inner);
    rounds.leave(inner);
    EXPECT_TRUE(rounds.update(1)) << inner;
  }
}

}  // namespace
}  // namespace tauprof
