// Which updates make one step together.
#include "step_search/turns.h"

#include <gtest/gtest.h>

#include <string>

namespace tauprof {
namespace {

// A letter a launch: C copies input, small letters are backward's, U is an update.
LaunchSequence sequence_of(const std::string& launches) {
  LaunchSequence sequence;
  sequence.symbols = 128;
  sequence.has_backward_thread = true;
  for (const char letter : launches) {
    Launch launch;
    launch.symbol = static_cast<uint32_t>(letter);
    launch.kind = letter == 'C' ? LaunchKind::kInputCopy : LaunchKind::kKernel;
    launch.is_backward = letter >= 'a';
    if (letter == 'U') launch.role = UpdateRole::kUpdate;
    sequence.launches.push_back(launch);
  }
  return sequence;
}

struct Joined {
  size_t turns = 0;
  size_t steps = 0;
};

Joined joined(const std::string& launches) {
  std::vector<StepAnchor> anchors;
  for (size_t i = 0; i < launches.size(); ++i)
    if (launches[i] == 'U') anchors.push_back({i, i + 1});
  const size_t turns = join_turns(sequence_of(launches), anchors);
  return {turns, anchors.size()};
}

std::string repeated(const std::string& text, int times) {
  std::string result;
  for (int i = 0; i < times; ++i) result += text;
  return result;
}

TEST(Turns, AreOneStepWhereTheSecondNetworkGoesOnWithTheInput) {
  const Joined found = joined(repeated("CFGabUHcdU", 6));
  EXPECT_EQ(found.turns, 2u);
  EXPECT_EQ(found.steps, 6u);
}

TEST(Turns, AreToldApartByHowOftenTheyLaunchTheSameKernels) {
  EXPECT_EQ(joined(repeated("CFGabUHabaabU", 6)).turns, 2u) << "networks of the same kinds of layers";
}

TEST(Turns, AreAStepEachWhereEachBringsItsInput) { EXPECT_EQ(joined(repeated("CFGabUCHcdU", 6)).turns, 1u); }

TEST(Turns, AreAStepEachWhereTheyDoTheSameWork) {
  EXPECT_EQ(joined(repeated("CFGabUFGabU", 6)).turns, 1u) << "several updates over one rollout";
}

TEST(Turns, OfSeveralWithInputTheFirstBeginsTheStep) {
  const Joined found = joined(repeated("CFabUCFabUCFabUHabcdU", 5));
  EXPECT_EQ(found.turns, 4u);
  EXPECT_EQ(found.steps, 5u);
}

TEST(Turns, GoOnBehindAnUpdateThatWasSkipped) {
  const Joined found = joined(repeated("CFGabUHcdU", 6) + "CFGabHcdU" + repeated("CFGabUHcdU", 6));
  EXPECT_EQ(found.turns, 2u);
  EXPECT_EQ(found.steps, 13u);
}

TEST(Turns, AreToldFromTheirPeriodWhereThereIsNoInput) {
  EXPECT_EQ(joined(repeated("FGabUHcdU", 6)).turns, 2u);
  EXPECT_EQ(joined(repeated("FGabU", 12)).turns, 1u);
}

}  // namespace
}  // namespace tauprof
