// Steps counted while the program runs, from what PyTorch says.
#include "capture/window/framework_steps.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace tauprof::capture {
namespace {

constexpr uint64_t kThread = 1, kOther = 2;

// One letter an event: F, f a forward pass with and without gradients, B a backward pass, U an update of optimizer 1, V
// of optimizer 2, Z clearing.
void play(FrameworkSteps& steps, char event, uint64_t thread = kThread) {
  switch (event) {
    case 'F':
    case 'f':
      steps.starts(thread, event == 'F' ? Pass::kForwardWithGradients : Pass::kForwardWithout);
      steps.forward_ends(thread);
      break;
    case 'B':
      steps.starts(thread, Pass::kBackward);
      break;
    case 'Z':
      steps.clears(thread);
      break;
    default:
      steps.starts(thread, Pass::kUpdate);
      steps.updates(thread, event == 'U' ? 1 : 2);
  }
}

// The number after each event.
std::string numbers_after(std::string_view events) {
  FrameworkSteps steps;
  std::string numbers;
  for (const char event : events) {
    play(steps, event);
    numbers += static_cast<char>('0' + steps.number());
  }
  return numbers;
}

TEST(FrameworkSteps, AnUpdateEndsAStep) {
  EXPECT_EQ(numbers_after("ZFBUZFBU"), "00011112");
  EXPECT_EQ(numbers_after("FBUZFBUZ"), "00111122");
}

TEST(FrameworkSteps, EachOptimizerMustUpdate) {
  FrameworkSteps steps;
  steps.construct(kThread, 1);
  steps.construct(kThread, 2);
  for (const char event : std::string_view("FBUFBUFBV")) play(steps, event);
  EXPECT_EQ(steps.number(), 1u);
}

TEST(FrameworkSteps, AnOptimizerThatNeverStepsHoldsUpNothing) {
  FrameworkSteps steps;
  steps.construct(kThread, 1);
  steps.construct(kThread, 2);
  for (uint64_t step = 0; step < 40; ++step) {
    play(steps, 'F');
    play(steps, 'B');
    EXPECT_EQ(steps.number(), step);
    play(steps, 'U');
    EXPECT_EQ(steps.number(), step + 1);
    EXPECT_LE(steps.least_number(), step + 1);
    play(steps, 'Z');
  }
}

TEST(FrameworkSteps, MicroBatchesAreOneStepOnceAnUpdateHasCome) {
  FrameworkSteps steps;
  for (const char event : std::string_view("ZFBFBFBUZFBFBFB")) play(steps, event);
  EXPECT_EQ(steps.number(), 1u);
  EXPECT_TRUE(steps.is_certain());
}

TEST(FrameworkSteps, ClearingEndsAStepWhoseUpdateIsHidden) { EXPECT_EQ(numbers_after("ZFBZFBZFB"), "000111222"); }

TEST(FrameworkSteps, TheNextForwardEndsItWhereNothingIsCleared) { EXPECT_EQ(numbers_after("FBfFBFB"), "0001122"); }

TEST(FrameworkSteps, HiddenUpdatesAreNotCertain) {
  FrameworkSteps steps;
  for (const char event : std::string_view("ZFBZFBZ")) play(steps, event);
  EXPECT_EQ(steps.number(), 2u);
  EXPECT_FALSE(steps.is_certain());
}

TEST(FrameworkSteps, UpdatesThatVanishGoOnAsHiddenOnes) {
  EXPECT_EQ(numbers_after("ZFBUZFBUZFBZFBZ"), "000111122222234");
}

TEST(FrameworkSteps, ClosuresOfAnUpdateEndNoStep) {
  FrameworkSteps steps;
  steps.starts(kThread, Pass::kUpdate);
  for (const char event : std::string_view("ZFBZFBZFB")) play(steps, event);
  EXPECT_EQ(steps.number(), 0u);
  steps.updates(kThread, 1);
  EXPECT_EQ(steps.number(), 1u);
}

TEST(FrameworkSteps, WithoutTrainingEachForwardIsAStep) { EXPECT_EQ(numbers_after("ffff"), "1234"); }

TEST(FrameworkSteps, AForwardThatABackwardPassFollowsIsNone) { EXPECT_EQ(numbers_after("FBZ"), "001"); }

TEST(FrameworkSteps, AnEvaluationBeforeTrainingIsForgotten) { EXPECT_EQ(numbers_after("ffFBUZ"), "122011"); }

TEST(FrameworkSteps, EachThreadThatTrainsHasStepsOfItsOwn) {
  FrameworkSteps steps;
  steps.construct(kThread, 1);
  steps.construct(kOther, 2);
  for (int step = 0; step < 3; ++step) {
    for (const uint64_t thread : {kThread, kOther})
      for (const char event : std::string_view("ZFB")) play(steps, event, thread);
    play(steps, 'U');
    EXPECT_EQ(steps.least_number(), 2 * step + 1u);
    EXPECT_EQ(steps.most_number(), 2 * step + 2u);  // the other thread's may end next
    play(steps, 'V', kOther);
    EXPECT_EQ(steps.least_number(), 2 * step + 2u);
  }
  EXPECT_TRUE(steps.is_certain());
}

TEST(FrameworkSteps, AThreadThatHasEndedIsNotInAStep) {
  FrameworkSteps steps;
  for (const char event : std::string_view("ZFBV")) play(steps, event, kOther);
  for (int step = 0; step < 20; ++step)
    for (const char event : std::string_view("ZFBU")) play(steps, event);
  EXPECT_EQ(steps.most_number(), 21u);
}

TEST(FrameworkSteps, OptimizersOfAThreadThatDoesNotTrainBelongToWhoeverStepsThem) {
  FrameworkSteps steps;
  constexpr uint64_t kSetUp = 3;
  steps.construct(kSetUp, 1);
  steps.construct(kSetUp, 2);
  for (const char event : std::string_view("FBUFBU")) play(steps, event);
  EXPECT_EQ(steps.least_number(), 0u);  // a generator may follow its critic
  for (const char event : std::string_view("FBV")) play(steps, event, kOther);
  EXPECT_EQ(steps.number(), 3u);
  for (const char event : std::string_view("FBU")) play(steps, event);
  EXPECT_EQ(steps.number(), 4u);
}

TEST(FrameworkSteps, UpdatesInBackwardBelongToTheThreadThatStartedIt) {
  FrameworkSteps steps;
  constexpr uint64_t kAutograd = 3;
  steps.construct(kThread, 1);
  for (int step = 0; step < 2; ++step)
    for (const char event : std::string_view("FBU")) play(steps, event, event == 'U' ? kAutograd : kThread);
  EXPECT_EQ(steps.number(), 2u);
}

TEST(FrameworkSteps, ThreadsThatOnlyEvaluateTakeNoPlaceFromOneThatTrains) {
  FrameworkSteps steps;
  for (uint64_t thread = 10; thread < 100; ++thread) play(steps, 'f', thread);
  for (const char event : std::string_view("ZFBUZFBU")) play(steps, event);
  EXPECT_EQ(steps.number(), 2u);
}

TEST(FrameworkSteps, TheThreadThatUpdatesWinsOverOneThatEvaluates) {
  FrameworkSteps steps;
  play(steps, 'f', kOther);
  for (const char event : std::string_view("ZFBUZFBU")) play(steps, event);
  play(steps, 'f', kOther);
  EXPECT_EQ(steps.number(), 2u);
}

TEST(FrameworkSteps, BetweenTwoStepsLiesWhatFollowsTheUpdate) {
  FrameworkSteps steps;
  for (const char event : std::string_view("ZFBU")) play(steps, event);
  EXPECT_TRUE(steps.is_between());
  play(steps, 'Z');
  EXPECT_TRUE(steps.is_between());
  steps.starts(kThread, Pass::kForwardWithGradients);
  EXPECT_FALSE(steps.is_between());
}

TEST(FrameworkSteps, TheLogHasEachNumberOnceInTheMidstOfItsStep) {
  FrameworkSteps steps;
  std::string taken;
  for (const char event : std::string_view("ZFBBUZFBBU")) {
    play(steps, event);
    const Pass pass = event == 'B' ? Pass::kBackward : event == 'F' ? Pass::kForwardWithGradients : Pass::kUpdate;
    taken += event != 'Z' && steps.take_number(kThread, pass) ? static_cast<char>('0' + steps.number()) : '.';
  }
  EXPECT_EQ(taken, ".00....1..");
}

}  // namespace
}  // namespace tauprof::capture
