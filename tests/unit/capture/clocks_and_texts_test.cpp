#include <gtest/gtest.h>
#include <unistd.h>

#include <memory>
#include <string>
#include <string_view>

#include "capture/base/ticks.h"
#include "capture/calls/kernel_names.h"
#include "capture/rows/step_marker.h"
#include "capture/rows/text_table.h"
#include "names/glob.h"

using namespace tauprof::capture;

namespace {

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
