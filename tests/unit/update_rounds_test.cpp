// Which updates complete a round, with the whole log at hand.
#include "steps/update_rounds.h"

#include <gtest/gtest.h>

#include <string>

#include "repeated_text.h"

namespace tauprof {
namespace {

// One letter per optimizer: a small one steps, a capital one is constructed. A bar for each update that completes a
// round, a point for the others.
std::string rounds_of(const std::string& letters) {
  std::vector<OptimizerEvent> events;
  for (const char letter : letters) {
    const bool is_update = letter >= 'a';
    events.push_back({static_cast<uint64_t>(is_update ? letter : letter + 'a' - 'A'), is_update});
  }
  const std::vector<bool> completed = completed_rounds(events);
  std::string result;
  for (size_t i = 0; i < events.size(); ++i)
    if (events[i].is_update) result += completed[i] ? '|' : '.';
  return result;
}

TEST(UpdateRounds, WaitForAnOptimizerWhoseConstructionIsNotInTheLog) { EXPECT_EQ(rounds_of("cccgcccg"), "...|...|"); }

TEST(UpdateRounds, DoNotWaitForOneThatNeverSteps) { EXPECT_EQ(rounds_of("ABaaa"), "|||"); }

TEST(UpdateRounds, DoNotWaitForOneThatHasSteppedForTheLastTime) {
  EXPECT_EQ(rounds_of("ABababaaa"), ".|.||||");
  EXPECT_EQ(rounds_of("Aaaa"
                      "Bbbbb"),
            "|||||||")
      << "one takes over from the other";
}

TEST(UpdateRounds, AreNotCompleteWhereTheLogEndsWithinOne) { EXPECT_EQ(rounds_of("CGcccgcccgccc"), "...|...|..."); }

TEST(UpdateRounds, DoNotWaitForOneThatPauses) {
  EXPECT_EQ(rounds_of("ABabab" + repeated("a", 40) + "babab"), ".|.|" + repeated("|", 40) + ".|.|.")
      << "b is back and starts a round";
}

TEST(UpdateRounds, WaitForOneThatIsConstructedLater) { EXPECT_EQ(rounds_of("AaaBabab"), "||.|.|"); }

TEST(UpdateRounds, OfInnerOptimizersEndWithTheOuterOnes) { EXPECT_EQ(rounds_of("OAaaaoBbbboCccco"), "...|...|...|"); }

}  // namespace
}  // namespace tauprof
