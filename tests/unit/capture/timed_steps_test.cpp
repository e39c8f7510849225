// Which steps have device times, and what the log says of it.
#include "capture/window/timed_steps.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "capture/window/framework_steps.h"

namespace tauprof::capture {
namespace {

using State = TimedSteps::State;

StepBlocks blocks(uint32_t full, uint32_t of) { return StepBlocks(StepShare{full, of}); }

// The first step of each of the first blocks.
std::vector<uint64_t> starts_of(const StepBlocks& blocks, size_t count) {
  std::vector<uint64_t> starts = {0};
  for (uint64_t step = 1; starts.size() < count; ++step)
    if (blocks.is_full(step) != blocks.is_full(step - 1)) starts.push_back(step);
  return starts;
}

TEST(StepBlocks, TakeTurnsAndGrow) {
  EXPECT_TRUE(blocks(1, 2).is_full(0));
  EXPECT_EQ(starts_of(blocks(1, 2), 8), (std::vector<uint64_t>{0, 8, 16, 32, 48, 80, 112, 176}));
  EXPECT_EQ(starts_of(blocks(1, 10), 6), (std::vector<uint64_t>{0, 8, 80, 96, 240, 272}));
  EXPECT_EQ(starts_of(blocks(3, 4), 5), (std::vector<uint64_t>{0, 24, 32, 80, 96}));
  EXPECT_EQ(starts_of(blocks(2, 5), 5), (std::vector<uint64_t>{0, 8, 20, 36, 60}));
}

TEST(StepBlocks, DoNotGrowForEver) {
  const std::vector<uint64_t> starts = starts_of(blocks(1, 2), 40);
  for (size_t i = 13; i + 1 < starts.size(); ++i) EXPECT_EQ(starts[i + 1] - starts[i], 512u) << i;
}

// At the end of every pair of blocks, exactly n steps of each m have been full.
TEST(StepBlocks, HaveTheShareThatWasAskedFor) {
  for (const auto& [full, of] : {std::pair(1u, 2u), {1u, 10u}, {3u, 4u}, {2u, 5u}, {4u, 10u}, {7u, 9u}, {1u, 1000u}}) {
    const StepBlocks of_share = blocks(full, of);
    uint64_t seen = 0;
    size_t pairs = 0;
    for (uint64_t step = 0; pairs < 5; ++step) {
      if (step > 0 && of_share.is_full(step) && !of_share.is_full(step - 1)) {
        ++pairs;
        EXPECT_EQ(seen * of, step * full) << full << "/" << of << " at step " << step;
      }
      seen += of_share.is_full(step);
    }
  }
}

TEST(StepBlocks, AreAllFullWhereNoShareIsAskedFor) {
  for (const StepBlocks& all : {blocks(0, 0), blocks(3, 3)}) {
    EXPECT_FALSE(all.have_light());
    for (uint64_t step = 0; step < 100'000; step += 7) EXPECT_TRUE(all.is_full(step));
  }
}

class TimedStepsTest : public testing::Test {
 protected:
  void ask(uint32_t full, uint32_t of, uint64_t start_step = 0) {
    Configuration configuration;
    configuration.every = {full, of};
    configuration.start_step = start_step;
    steps_.start(configuration);
    steps_.follow(State::kTaken, 0, now_);
  }
  // A step starts, and the source is in this state.
  void step(uint64_t number, State source, bool is_between = false) {
    now_ += 100 * kMs;
    steps_.know_step(number, is_between);
    steps_.follow(source, 0, now_);
  }
  void later(State source, uint64_t since = 0) {
    now_ += 10 * kMs;
    steps_.follow(source, since, now_);
  }
  // In ms; + and −: a little later, earlier.
  static std::string time(int64_t ns) {
    const int64_t ms = (ns + 500'000) / 1'000'000, rest = ns - ms * 1'000'000;
    return std::to_string(ms) + (rest > 0 ? "+" : rest < 0 ? "-" : "");
  }
  std::string rows() {
    static const char* const kNames[] = {"?", "off", "taken", "switching", "lent", "refused"};
    std::string text;
    for (log::DeviceTimes row{}; steps_.take_row(row);)
      text += time(row.time) + " " + kNames[row.state] + " " + std::to_string(row.step) + "; ";
    return text;
  }

  static constexpr uint64_t kMs = 1'000'000;
  TimedSteps steps_;
  uint64_t now_ = 1000 * kMs;
};

TEST_F(TimedStepsTest, SayWhenTheSourceIsSwitched) {
  ask(1, 2);
  for (uint64_t number = 1; number < 8; ++number) step(number, State::kTaken);
  EXPECT_TRUE(steps_.are_wanted());
  step(8, State::kTaken);
  EXPECT_FALSE(steps_.are_wanted());
  later(State::kSwitching);
  later(State::kOff);
  for (uint64_t number = 9; number < 15; ++number) step(number, State::kOff);
  EXPECT_FALSE(steps_.are_wanted());
  step(15, State::kSwitching);
  EXPECT_TRUE(steps_.are_wanted()) << "a step ahead";
  later(State::kTaken);
  step(16, State::kTaken);
  EXPECT_EQ(rows(), "1000 taken -1; 1800+ switching 8; 1820 off -1; 2520 switching 15; 2630- taken 16; ");
}

// Anything between the last update of a block and the next pass may be a part of the block's last step.
TEST_F(TimedStepsTest, EndTheBlockWithTheNextPass) {
  ask(1, 2);
  step(7, State::kTaken);
  step(8, State::kTaken, true);
  later(State::kTaken);
  EXPECT_TRUE(steps_.are_wanted());
  step(8, State::kTaken);
  EXPECT_FALSE(steps_.are_wanted());
  for (const bool is_between : {true, false}) step(15, State::kSwitching, is_between);
  for (const bool is_between : {true, false}) step(16, State::kTaken, is_between);
  EXPECT_EQ(rows(), "1000 taken -1; 1310+ switching 8; 1610- taken 16; ");
}

TEST_F(TimedStepsTest, AreNotLightWhileTheSourceStaysOn) {
  ask(1, 2);
  for (uint64_t number = 1; number < 17; ++number) step(number, State::kTaken);
  EXPECT_EQ(rows(), "1000 taken -1; 1800+ switching 8; 2600- taken 16; ");
}

TEST_F(TimedStepsTest, AreFullUntilNumbersAreCertain) {
  ask(1, 2);
  for (int i = 0; i < 20; ++i) {
    steps_.know_no_step();
    later(State::kTaken);
    EXPECT_TRUE(steps_.are_wanted());
  }
  step(9, State::kTaken);
  EXPECT_FALSE(steps_.are_wanted());
  steps_.know_no_step();
  EXPECT_TRUE(steps_.are_wanted());
}

TEST_F(TimedStepsTest, CountFromTheFirstWantedStep) {
  ask(1, 2, 100);
  step(99, State::kTaken);
  EXPECT_TRUE(steps_.are_wanted());
  step(107, State::kTaken);
  EXPECT_TRUE(steps_.are_wanted());
  step(108, State::kTaken);
  EXPECT_FALSE(steps_.are_wanted());
}

TEST_F(TimedStepsTest, SayThatAnotherProfilerHasTheSource) {
  ask(1, 2);
  step(1, State::kTaken);
  later(State::kLent, 1103 * kMs);
  for (uint64_t number = 2; number < 10; ++number) step(number, State::kLent);
  later(State::kOff);
  EXPECT_EQ(rows(), "1000 taken -1; 1103 lent -1; 1920 off -1; ");
}

TEST_F(TimedStepsTest, KnowWhichLaunchesHaveTimes) {
  ask(1, 2);
  for (uint64_t number = 1; number < 9; ++number) step(number, State::kTaken);
  EXPECT_TRUE(steps_.were_taken_at(900 * kMs));
  EXPECT_TRUE(steps_.were_taken_at(1800 * kMs));
  EXPECT_FALSE(steps_.were_taken_at(1801 * kMs));
  EXPECT_FALSE(steps_.were_taken_at(5000 * kMs));
}

TEST_F(TimedStepsTest, KeepTheNewestRowsIfNobodyTakesThem) {
  ask(1, 2);
  for (uint64_t number = 0; number < 400'000; ++number) step(number, State::kTaken);
  const std::string text = rows();
  EXPECT_EQ(std::count(text.begin(), text.end(), ';'), 64);
}

// The number that decides, as the recorder finds it.
class CertainNumber : public testing::Test {
 protected:
  // One letter an event: F a forward pass with gradients, B a backward pass, U an update, Z clearing.
  void play(std::string_view events, uint64_t thread = 1, uint32_t optimizer = 1) {
    for (const char event : events) {
      if (event == 'F') steps_.starts(thread, Pass::kForwardWithGradients), steps_.forward_ends(thread);
      if (event == 'B') steps_.starts(thread, Pass::kBackward);
      if (event == 'Z') steps_.clears(thread);
      if (event == 'U') steps_.starts(thread, Pass::kUpdate), steps_.updates(thread, optimizer);
    }
  }
  int64_t number() const {
    uint64_t number = 0;
    return steps_.certain_number(number) ? static_cast<int64_t>(number) : -1;
  }

  FrameworkSteps steps_;
};

TEST_F(CertainNumber, IsThatOfUpdates) {
  EXPECT_EQ(number(), -1);
  play("FBZFB");
  EXPECT_EQ(number(), -1) << "passes may be micro-batches";
  play("U");
  EXPECT_EQ(number(), 1);
  play("FBUFBU");
  EXPECT_EQ(number(), 3);
}

// A program that skips an update, as for a loss that is not finite: its ranks need not have seen the same number of
// passes, but they have seen the same updates.
TEST_F(CertainNumber, DoesNotCountASkippedUpdate) {
  play("ZFBUZFBUZFBU");
  int64_t before = number();
  for (const char event : std::string_view("ZFBZFBZFBUZFBU")) {
    play({&event, 1});
    EXPECT_GE(number(), before) << "it never falls";
    before = number();
  }
  EXPECT_EQ(number(), 5);
}

TEST_F(CertainNumber, IsNoneWhereUpdatesAreHiddenForGood) {
  play("ZFBUZFBU");
  for (int i = 0; i < 40; ++i) play("ZFB");
  EXPECT_EQ(number(), -1);
  play("UZ");
  EXPECT_EQ(number(), 3);
}

TEST_F(CertainNumber, IsTheSameAfterAnEvaluation) {
  play("FBUFBU");
  for (int i = 0; i < 5; ++i) steps_.starts(1, Pass::kForwardWithout), steps_.forward_ends(1);
  EXPECT_EQ(number(), 2);
}

}  // namespace
}  // namespace tauprof::capture
