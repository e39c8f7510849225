// Finding steps while launches come in: how a step start is recognised, how steps get their numbers, and when a window
// may open before they are known.
#include <gtest/gtest.h>
#include <string.h>

#include <memory>
#include <random>
#include <string>
#include <vector>

#include "capture/steps/known_steps.h"
#include "capture/steps/start_pattern.h"
#include "capture/steps/step_finder.h"
#include "capture/steps/step_guess.h"
#include "capture/window/wanted_steps.h"

namespace tauprof::capture {
namespace {

// A letter per launch: C copies input, R reads back, S waits, U updates, l clips, G is a graph; the others are kernels.
LaunchFacts facts_of(char launch) {
  LaunchFacts facts{.what = static_cast<uint64_t>(launch)};
  if (launch == 'C') facts.kind = LaunchKind::kInputCopy;
  if (launch == 'R') facts.kind = LaunchKind::kReadback;
  if (launch == 'S') facts.kind = LaunchKind::kSync;
  if (launch == 'U') facts.role = UpdateRole::kUpdate;
  if (launch == 'l') facts.role = UpdateRole::kClipping;
  facts.is_graph = launch == 'G';
  return facts;
}

std::string repeated(const std::string& text, int times) {
  std::string result;
  for (int i = 0; i < times; ++i) result += text;
  return result;
}

class LoopHistory : public testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(history.start()); }
  void launch(const std::string& launches) {
    for (const char letter : launches) history.add(facts_of(letter), 0, history.count() * 10 + 1);
  }
  LaunchHistory history;
};

TEST_F(LoopHistory, KnowsAPathByItsLastLaunchesOnly) {
  launch("abcdXbcd");
  EXPECT_EQ(history.path_to(4, 1), history.path_to(8, 1)) << "cd";
  EXPECT_NE(history.path_to(4, 2), history.path_to(8, 2)) << "abcd, Xbcd";
  EXPECT_EQ(history.path_to(3, 2), 0u) << "there are no four";
}

TEST_F(LoopHistory, LeavesWaitsOutOfAPath) {
  launch("abSabS");
  EXPECT_EQ(history.next_ordinal(), 4u);
  EXPECT_EQ(history.path_to(2, 1), history.path_to(4, 1));
  EXPECT_EQ(history.at(3).ordinal, 2u);
}

TEST_F(LoopHistory, KeepsTheNewestLaunches) {
  launch(repeated("abcdefgh", static_cast<int>(LaunchHistory::kReach) / 2));
  EXPECT_EQ(history.count(), 4 * LaunchHistory::kReach);
  EXPECT_EQ(history.oldest(), 3 * LaunchHistory::kReach);
  EXPECT_EQ(history.at(history.oldest()).facts.what, static_cast<uint64_t>('a'));
  EXPECT_EQ(history.path_to(history.next_ordinal(), 8), history.path_to(history.next_ordinal() - 8, 8));
}

// Which of the launches after learning are recognised as step starts.
std::string recognised(LaunchHistory& history, const StartPattern& pattern, const std::string& launches) {
  std::string marks;
  for (const char letter : launches) {
    history.add(facts_of(letter), 0, 0);
    marks += pattern.fits(history, history.next_ordinal() - 1) ? '|' : '.';
  }
  return marks;
}

TEST_F(LoopHistory, RecognisesAStepStartByWhatLeadsToIt) {
  launch("CFFBUCFFBUCFFBUCFFBU");
  StartPattern pattern;
  const uint64_t starts[] = {5, 10, 15};
  pattern.learn(history, starts, 3, 1, 20);
  ASSERT_TRUE(pattern.is_known());
  EXPECT_EQ(recognised(history, pattern, "CFFBUCFFBU"), "|....|....");
}

TEST_F(LoopHistory, TellsMicroBatchesFromSteps) {
  const std::string step = "CFBCFBCFBU";
  launch(repeated(step, 4));
  StartPattern pattern;
  const uint64_t starts[] = {10, 20, 30};
  pattern.learn(history, starts, 3, 1, 40);
  EXPECT_EQ(recognised(history, pattern, step + step), "|.........|.........");
}

TEST_F(LoopHistory, KnowsNoPatternWhereNothingTells) {
  launch(repeated("a", 40));
  StartPattern pattern;
  const uint64_t starts[] = {10, 20, 30};
  pattern.learn(history, starts, 3, 1, 40);
  EXPECT_FALSE(pattern.is_known());
}

class NumberedSteps : public LoopHistory {
 protected:
  // What a search up to `until` finds.
  void find(const std::vector<uint64_t>& positions, uint64_t until, uint64_t from = 0) {
    std::vector<StepStart> starts;
    for (const uint64_t position : positions) starts.push_back({position, position * 10, 0, 0});
    SearchedSteps searched;
    searched.starts = starts.data();
    searched.count = starts.size();
    searched.from = from;
    searched.until = until;
    known.take(searched);
  }
  std::vector<uint64_t> numbers() const {
    std::vector<uint64_t> result;
    for (size_t i = 0; i < known.size(); ++i) result.push_back(known.at(i).number);
    return result;
  }
  KnownSteps known;
};

TEST_F(NumberedSteps, AreSettledWhenTheyAreFoundAgain) {
  find({10, 20}, 30);
  EXPECT_EQ(numbers(), (std::vector<uint64_t>{0, 1}));
  find({10, 20, 30, 40, 50, 60}, 65);
  EXPECT_FALSE(known.are_settled()) << "updates may alternate within one step";
  find({10, 20, 30, 40, 50, 60, 70, 80}, 85);
  EXPECT_TRUE(known.are_settled());
  EXPECT_EQ(known.number(), 7u);
}

TEST_F(NumberedSteps, AreRenumberedWhenTheyTurnOutToBeOthers) {
  find({10, 15, 20, 25}, 30);
  find({10, 20, 30, 40}, 50);
  EXPECT_EQ(numbers(), (std::vector<uint64_t>{0, 1, 2, 3}));
  EXPECT_FALSE(known.are_settled());
}

TEST_F(NumberedSteps, KeepTheirNumbersWhenTheOldestAreForgotten) {
  find({10, 20, 30, 40, 50, 60}, 65);
  find({45, 50, 60, 70}, 75, 42);
  EXPECT_EQ(known.number(), 6u) << "what precedes the first known step may be incomplete";
  EXPECT_EQ(known.at(known.size() - 1).position, 70u);
}

TEST_F(NumberedSteps, IncludeAStepThatWasMissed) {
  find({10, 20, 30, 40, 50, 60}, 65);
  find({10, 20, 30, 40, 50, 60, 70, 80}, 130);
  ASSERT_TRUE(known.are_settled());
  find({60, 70, 80, 90, 100}, 135, 55);
  EXPECT_TRUE(known.are_settled());
  EXPECT_EQ(known.number(), 9u);
}

// The highest possible number of the current step, after each launch. Letters as above; b: of a backward thread.
std::string guessed(const std::string& launches) {
  StepGuess guess;
  std::string steps;
  for (const char letter : launches) {
    guess.take(facts_of(letter), letter == 'b' ? LaunchThread::kAutograd : LaunchThread::kMain);
    steps += static_cast<char>('0' + guess.step());
  }
  return steps;
}

TEST(StepGuess, CountsUpdates) {
  EXPECT_EQ(guessed("CFBUURCFBUlUR"), "0000011111112");
  EXPECT_EQ(guessed("CFbUxUxCFbUC"), "000011111112") << "other kernels between those of one update";
}

TEST(StepGuess, CountsPassesWithoutUpdates) { EXPECT_EQ(guessed("CCCFbbFbbRxFb"), "0000001112222"); }

TEST(StepGuess, CountsInputsResultsAndGraphsWithoutPasses) {
  EXPECT_EQ(guessed("CCxxCxRxRx"), "0000111122");
  EXPECT_EQ(guessed("xGGxG"), "01223");
  StepGuess guess;
  for (int i = 0; i < 300; ++i) guess.take(facts_of('x'), LaunchThread::kMain);
  EXPECT_EQ(guess.step(), 100u) << "nothing but kernels";
}

TEST(WantedSteps, FollowsTheMarkerThatTheUserChose) {
  const auto configuration = std::make_unique<Configuration>();
  configuration->start_step = 1;
  configuration->steps = 2;
  strcpy(configuration->step_marker, "call:cudaGraphLaunch");
  const auto window = std::make_unique<WantedSteps>();
  window->start(*configuration, 0);
  EXPECT_TRUE(window->is_marked());
  EXPECT_TRUE(window->is_marked_by("cudaGraphLaunch"));
  EXPECT_FALSE(window->is_marked_by("cudaLaunchKernel"));
  std::string open;
  for (int mark = 0; mark < 5; ++mark) {
    window->take_mark(0);
    open += window->is_open() ? '1' : '0';
  }
  EXPECT_EQ(open, "01100") << "the first mark is step 0";
  EXPECT_FALSE(window->follows());
}

// Which launches of a loop are recorded, with a search after every launch.
std::string recorded(uint64_t first, uint64_t count, const std::string& launches) {
  const auto configuration = std::make_unique<Configuration>();
  configuration->start_step = first;
  configuration->steps = count;
  const auto window = std::make_unique<WantedSteps>();
  window->start(*configuration, 0);
  std::string open;
  uint64_t now = 0;
  for (const char letter : launches) {
    now += 1'000'000'000;
    uint64_t position;
    if (window->follows()) window->take(facts_of(letter), now, now, position);
    open += window->is_open() ? '1' : '0';
    if (window->wants_search(now) && window->search(now)) window->install(now);
  }
  return open;
}

TEST(WantedSteps, OpensAndClosesWhereAStepStarts) {
  const std::string step = "CFFFBBBBUUR";
  const std::string open = recorded(18, 2, repeated(step, 24));
  EXPECT_EQ(open, std::string(198, '0') + std::string(22, '1') + '1' + std::string(43, '0'))
      << "a search after the next step start confirms the end";
}

TEST(WantedSteps, OpensAndClosesWithoutAnyUpdate) {
  const std::string iteration = "CabcdefgR";
  const std::string open = recorded(70, 2, repeated(iteration, 78));
  EXPECT_EQ(open.find('1'), 70u * 9);
  EXPECT_EQ(open.substr(70 * 9), std::string(18, '1') + '1' + std::string(53, '0'));
}

TEST(WantedSteps, TakesRecurringLaunchesForStepsOnlyAfterAWhile) {
  const std::string open = recorded(4, 2, repeated("CabcdefgR", 50));
  const size_t closes = open.find("0", open.find("1"));
  EXPECT_GT(closes, 32u * 9) << "an update may still come";
  EXPECT_NE(closes, std::string::npos);
}

TEST(WantedSteps, RecordsEarlyWhileStepsAreUnknown) {
  const std::string open = recorded(1, 2, repeated("CFFFBBBBUUR", 14));
  EXPECT_EQ(open.find("1"), 10u) << "a step may start after the first update";
  EXPECT_EQ(open.substr(11 * 10), std::string(11 * 4, '0')) << "it ends when the numbers are settled";
}

// A loop whose host pauses before each step. Averages of the weights, or a loss that is read, follow the update.
void expect_starts_however_much_was_seen(const std::string& after_update) {
  const std::string step = "CabcdefghijklUU" + after_update;
  const auto known = std::make_unique<KnownSteps>();
  for (size_t seen = 20 * step.size() + 1; seen <= 21 * step.size(); ++seen) {
    LaunchHistory history;
    ASSERT_TRUE(history.start());
    uint64_t ticks = 0;
    for (size_t i = 0; i < seen; ++i)
      history.add(facts_of(step[i % step.size()]), 0, ticks += i % step.size() == 0 ? 10000 : 100);
    StepFinder finder;
    finder.prepare(history, *known);
    ASSERT_TRUE(finder.search(history, 0));
    const SearchedSteps& found = finder.found();
    ASSERT_EQ(found.count, 21u) << after_update << ", launches of the last step: " << seen - 20 * step.size();
    for (size_t i = 0; i < found.count; ++i) EXPECT_EQ(found.starts[i].position, i * step.size());
  }
}

TEST(StepFinder, NeverTakesTheRemainderOfAStepForAStart) {
  expect_starts_however_much_was_seen("");
  expect_starts_however_much_was_seen("xyxyxyxyxyxyxyxy");
  expect_starts_however_much_was_seen("mnR");
}

// Random loops with irregular launches, for the sanitizers.
TEST(WantedSteps, SurvivesArbitraryLaunches) {
  for (unsigned seed = 1; seed <= 40; ++seed) {
    std::mt19937 random(seed);
    const auto configuration = std::make_unique<Configuration>();
    configuration->start_step = random() % 30;
    configuration->steps = 1 + random() % 4;
    const auto window = std::make_unique<WantedSteps>();
    window->start(*configuration, 0);
    std::string loop(3 + random() % 200, ' ');
    for (char& letter : loop) letter = "CRSUlGabcdefghij"[random() % 16];
    uint64_t now = 0, position = 0;
    for (unsigned i = 0; i < 4000 && window->follows(); ++i) {
      now += 1'000'000;
      const char letter = random() % 20 == 0 ? loop[random() % loop.size()] : loop[i % loop.size()];
      window->take(facts_of(letter), now, now, position);
      window->returned(position, now + 500);
      if (window->wants_search(now) && window->search(now)) window->install(now);
    }
    EXPECT_LE(window->step(), 4000u);
  }
}

}  // namespace
}  // namespace tauprof::capture
