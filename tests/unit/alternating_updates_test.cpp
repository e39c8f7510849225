// Which updates make one step together.
#include "steps/alternating_updates.h"

#include <gtest/gtest.h>

#include <string>

namespace tauprof {
namespace {

// One letter per launch: C copies input, lower-case letters are backward's, U is an update.
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
  size_t updates = 0;  // in a step
  size_t steps = 0;
};

Joined joined(const std::string& launches) {
  std::vector<Update> updates;
  for (size_t i = 0; i < launches.size(); ++i)
    if (launches[i] == 'U') updates.push_back({i, i + 1});
  const size_t in_step = join_alternating_updates(sequence_of(launches), updates);
  return {in_step, updates.size()};
}

std::string repeated(const std::string& text, int times) {
  std::string result;
  for (int i = 0; i < times; ++i) result += text;
  return result;
}

TEST(AlternatingUpdates, AreOneStepWhenTheSecondNetworkReusesTheInput) {
  const Joined found = joined(repeated("CFGabUHcdU", 6));
  EXPECT_EQ(found.updates, 2u);
  EXPECT_EQ(found.steps, 6u);
}

TEST(AlternatingUpdates, AreToldApartByHowOftenTheyLaunchTheSameKernels) {
  EXPECT_EQ(joined(repeated("CFGabUHabaabU", 6)).updates, 2u) << "networks with the same kinds of layers";
}

TEST(AlternatingUpdates, AreSeparateStepsWhenEachCopiesInput) {
  EXPECT_EQ(joined(repeated("CFGabUCHcdU", 6)).updates, 1u);
}

TEST(AlternatingUpdates, AreSeparateStepsWhenTheyDoTheSameWork) {
  EXPECT_EQ(joined(repeated("CFGabUFGabU", 6)).updates, 1u) << "several updates over one rollout";
}

TEST(AlternatingUpdates, StartTheStepAtTheFirstOfSeveralWithInput) {
  const Joined found = joined(repeated("CFabUCFabUCFabUHabcdU", 5));
  EXPECT_EQ(found.updates, 4u);
  EXPECT_EQ(found.steps, 5u);
}

TEST(AlternatingUpdates, SurviveASkippedUpdate) {
  const Joined found = joined(repeated("CFGabUHcdU", 6) + "CFGabHcdU" + repeated("CFGabUHcdU", 6));
  EXPECT_EQ(found.updates, 2u);
  EXPECT_EQ(found.steps, 13u);
}

TEST(AlternatingUpdates, AreFoundByTheirPeriodWithoutInput) {
  EXPECT_EQ(joined(repeated("FGabUHcdU", 6)).updates, 2u);
  EXPECT_EQ(joined(repeated("FGabU", 12)).updates, 1u);
}

}  // namespace
}  // namespace tauprof
