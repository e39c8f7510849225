// The period of a sequence that has occasional insertions.
#include "step_search/recurrence.h"

#include <gtest/gtest.h>

#include <string>

namespace tauprof {
namespace {

// One letter per launch; C copies input, R reads back.
Recurrence recurrence_of(const std::string& launches) {
  LaunchSequence sequence;
  for (const char letter : launches) {
    Launch launch;
    launch.symbol = static_cast<uint32_t>(letter);
    launch.kind = letter == 'C' ? LaunchKind::kInputCopy : letter == 'R' ? LaunchKind::kReadback : LaunchKind::kKernel;
    sequence.launches.push_back(launch);
  }
  return find_recurrence(sequence);
}

std::string repeated(const std::string& text, int times) {
  std::string result;
  for (int i = 0; i < times; ++i) result += text;
  return result;
}

TEST(Recurrence, IsFoundInASimpleLoop) {
  const Recurrence found = recurrence_of(repeated("Cabbbcd", 6));
  EXPECT_EQ(found.period, 7u);
  EXPECT_EQ(found.positions.size(), 6u);
}

TEST(Recurrence, SurvivesEvaluationsEveryFewSteps) {
  std::string launches;
  for (int step = 0; step < 20; ++step)
    launches += (step % 5 == 4) ? "Cabcdefghu"
                                  "CabcdCabcdR"
                                : "Cabcdefghu";
  const Recurrence found = recurrence_of(launches);
  EXPECT_EQ(found.period, 10u);
  EXPECT_EQ(found.positions.size(), 20u) << "a position that evaluations do not reach";
}

TEST(Recurrence, IsTheStepAndNotTheMicroBatch) {
  const Recurrence found = recurrence_of(repeated(repeated("Cabcdef", 8) + "uvwu", 8));
  EXPECT_EQ(found.period, 60u);
}

TEST(Recurrence, IsTheIterationAndNotTheLayer) {
  const Recurrence found = recurrence_of(repeated("Ce" + repeated("ghij", 12) + "pq", 8));
  EXPECT_EQ(found.period, 52u);
  EXPECT_EQ(found.positions.size(), 8u);
}

TEST(Recurrence, IsTheIterationEvenWithoutInput) {
  EXPECT_EQ(recurrence_of(repeated("e" + repeated("ghij", 12) + "p", 8)).period, 50u);
}

TEST(Recurrence, IsNotAReadbackEveryFewIterations) {
  std::string launches;
  for (int i = 0; i < 24; ++i) launches += "C" + repeated("ghij", 12) + (i % 4 == 3 ? "psR" : "p");
  EXPECT_EQ(recurrence_of(launches).positions.size(), 24u);
}

TEST(Recurrence, IsNotFoundWhereNothingRecurs) {
  EXPECT_EQ(recurrence_of(std::string(200, 'a')).period, 0u) << "one kernel after the other";
  std::string chaos;
  uint32_t state = 1;
  for (int i = 0; i < 400; ++i) chaos += static_cast<char>('a' + (state = state * 1664525 + 1013904223) / 200000000);
  EXPECT_EQ(recurrence_of(chaos).period, 0u);
  EXPECT_EQ(recurrence_of("abcdabcd").period, 0u) << "twice is not enough";
}

}  // namespace
}  // namespace tauprof
