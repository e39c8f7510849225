#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <fstream>
#include <memory>
#include <string>
#include <string_view>
#include <thread>

#include "capture/base/clock.h"
#include "capture/base/ticks.h"
#include "capture/calls/kernel_names.h"
#include "capture/rows/step_marker.h"
#include "capture/rows/text_table.h"
#include "names/glob.h"

using namespace tauprof::capture;

namespace {

TEST(CpuClockTest, IsThatOfTheOtherThread) {
  std::atomic<uint32_t> id;
  std::atomic<uint64_t> used, seen;
  std::thread other([&] {
    while (kernel_clock_ns(CLOCK_THREAD_CPUTIME_ID) < 5'000'000) continue;
    used = kernel_clock_ns(CLOCK_THREAD_CPUTIME_ID);
    id = static_cast<uint32_t>(gettid());
    while (seen == 0) usleep(100);
    used = kernel_clock_ns(CLOCK_THREAD_CPUTIME_ID);
  });
  while (id == 0) usleep(100);
  const uint64_t at_least = used;
  seen = kernel_clock_ns(cpu_clock_of(id));
  other.join();
  EXPECT_GE(seen, at_least);
  EXPECT_LE(seen, used);
}

TEST(TickScaleTest, FollowsTheClockWithinAMicrosecond) {
  choose_tick_source();
  auto scale = std::make_unique<TickScale>();
  scale->start();
  uint64_t before_ns = 0;
  for (int i = 0; i < 2000; ++i) {
    if (i % 10 == 0) scale->add_anchor();
    const uint64_t earliest = now_ns(), ticks = read_ticks(), latest = now_ns(), ns = scale->to_ns(ticks);
    EXPECT_GE(ns + 1000, earliest);
    EXPECT_LE(ns, latest + 1000);
    EXPECT_GE(ns + 200, before_ns);
    before_ns = ns;
    if (i % 100 == 0) usleep(200);
  }
}

TEST(TickScaleTest, ConvertsTimesOlderThanItsAnchors) {
  choose_tick_source();
  auto scale = std::make_unique<TickScale>();
  scale->start();
  const uint64_t ns = now_ns(), ticks = read_ticks();
  for (int i = 0; i < 600; ++i) {
    usleep(600);
    scale->add_anchor();
  }
  EXPECT_NEAR(static_cast<double>(scale->to_ns(ticks)), static_cast<double>(ns), 5000);
}

TEST(TickScaleTest, CountsNanosecondsWhereTheClockHasNoSlope) {
  const TickScale::Anchor first{3'000'000, 500};
  for (const TickScale::Anchor second : {TickScale::Anchor{6'000'000, 500},               // the clock stops,
                                         TickScale::Anchor{6'000'000, 400},               // goes back,
                                         TickScale::Anchor{6'000'000, 3600'000'000'000},  // jumps an hour ahead,
                                         TickScale::Anchor{3'000'000, 1'000'500},         // the counter stops,
                                         TickScale::Anchor{2'000'000, 1'000'500}}) {      // goes back
    auto scale = std::make_unique<TickScale>();
    EXPECT_FALSE(scale->start(first, second));
    for (const uint64_t ns : {0ull, 1ull, 500ull, 7'000'000'000ull}) {
      EXPECT_EQ(scale->to_ns(ns), ns);
      EXPECT_EQ(scale->ticks_in(ns), ns);
    }
  }
}

TEST(TickScaleTest, KeepsItsSlopeWhileTheClockStandsStillOrGoesBack) {
  auto scale = std::make_unique<TickScale>();
  ASSERT_TRUE(scale->start({3'000'000, 500}, {6'000'000, 1'000'500}));  // three ticks a nanosecond
  for (uint64_t i = 3; i < 2000; ++i) scale->add_anchor({3'000'000 * i, i % 2 == 0 ? 1'000'500 : 7u});
  EXPECT_EQ(scale->to_ns(9'000'000), 2'000'500u);
  EXPECT_EQ(scale->to_ns(4'500'000), 500'500u);
  EXPECT_EQ(scale->ticks_in(1000), 3000u);
}

TEST(TickScaleTest, DividesByNothingBeforeItsStart) {
  const auto scale = std::make_unique<TickScale>();
  EXPECT_EQ(scale->to_ns(17), 17u);
  EXPECT_EQ(scale->ticks_in(17), 17u);
}

TEST(TickSourceTest, IsTheCounterOnlyWhereTheKernelKeepsTimeByIt) {
  const std::string path = testing::TempDir() + "clocksource";
  const auto decide = [&](const char* source) {
    std::ofstream(path) << source;
    return kernel_keeps_time_by_counter(path.c_str());
  };
  EXPECT_TRUE(decide("tsc\n"));
  for (const char* other : {"kvm-clock\n", "hpet\n", "hyperv_clocksource_tsc_page\n", "tsc-early\n", ""})
    EXPECT_FALSE(decide(other)) << other;
  std::remove(path.c_str());
  EXPECT_FALSE(kernel_keeps_time_by_counter(path.c_str()));
}

TEST(TextTableTest, GivesTheSameTextTheSameNumber) {
  auto table = std::make_unique<TextTable>();
  const uint32_t forward = table->number_of("forward"), backward = table->number_of("backward");
  EXPECT_NE(forward, backward);
  EXPECT_EQ(table->number_of("forward"), forward);
  EXPECT_EQ(table->number_of(L"forward"), forward);
  EXPECT_EQ(table->number_of(L"schön"), table->number_of("sch\xC3\xB6n"));
  EXPECT_EQ(table->number_of(""), 0u);
  EXPECT_EQ(table->text(0), nullptr);
  EXPECT_EQ(std::string(table->text(backward)->bytes, table->text(backward)->size), "backward");
}

TEST(TextTableTest, NumbersTextsBeyondItsBoundAsOne) {
  auto table = std::make_unique<TextTable>();
  const uint32_t first = table->number_of("first");
  for (int i = 0; i < 100'000; ++i) table->number_of(("range " + std::to_string(i)).c_str());
  const uint32_t later = table->number_of("one too many"), latest = table->number_of("another");
  EXPECT_EQ(later, latest);
  EXPECT_EQ(std::string(table->text(later)->bytes, table->text(later)->size), "(too many names)");
  EXPECT_EQ(table->number_of("first"), first);
}

TEST(KernelNamesTest, AreFoundAmongMany) {
  auto names = std::make_unique<KernelNames>();
  static const char kNames[20'000] = {};
  for (uintptr_t i = 1; i < sizeof kNames; ++i) names->add(reinterpret_cast<const void*>(i << 4), kNames + i);
  for (uintptr_t i = 1; i < sizeof kNames; ++i)
    ASSERT_EQ(names->find(reinterpret_cast<const void*>(i << 4)), kNames + i);
  EXPECT_EQ(names->find(kNames), nullptr);
}

TEST(GlobTest, MatchesStarsAndQuestionMarks) {
  const auto matches = [](std::string_view glob, std::string_view text) { return tauprof::matches_glob(glob, text); };
  EXPECT_TRUE(matches("step", "step"));
  EXPECT_TRUE(matches("step*", "step 17"));
  EXPECT_TRUE(matches("*ep*7", "step 17"));
  EXPECT_TRUE(matches("s?ep", "step"));
  EXPECT_TRUE(matches("*", ""));
  EXPECT_FALSE(matches("step", "step 17"));
  EXPECT_FALSE(matches("step?", "step"));
  EXPECT_FALSE(matches("*a", "step"));
}

}  // namespace
