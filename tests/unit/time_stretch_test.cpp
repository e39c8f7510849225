// Where the times of a recording lie.
#include "model/time_stretch.h"

#include <gtest/gtest.h>

namespace tauprof {
namespace {

constexpr Nanoseconds kHour = TimeStretch::kLongestPause;

TimeStretch stretch_of(Nanoseconds first, Nanoseconds last, int times) {
  TimeStretch stretch;
  for (int i = 0; i < times; ++i) stretch.add(first + (last - first) * i / (times - 1));
  return stretch;
}

void expect_main(const TimeStretch& stretch, Nanoseconds start, Nanoseconds end) {
  EXPECT_EQ(stretch.main().start, start);
  EXPECT_EQ(stretch.main().end, end);
}

TEST(TimeStretch, IsEmptyWithoutTimes) { expect_main({}, 0, 0); }

TEST(TimeStretch, HoldsAllTimesThatAreNear) {
  TimeStretch stretch = stretch_of(500 * kHour - 5, 500 * kHour + 5, 11);
  expect_main(stretch, 500 * kHour - 5, 500 * kHour + 5);
  stretch.add(501 * kHour + 5);
  expect_main(stretch, 500 * kHour - 5, 501 * kHour + 5);
}

TEST(TimeStretch, LeavesOutFewTimesThatAreFarAway) {
  TimeStretch stretch = stretch_of(500 * kHour, 500 * kHour + 100, 41);
  for (const Nanoseconds odd : {Nanoseconds{0}, Nanoseconds{-7}, 502 * kHour, std::numeric_limits<Nanoseconds>::max()})
    stretch.add(odd);
  expect_main(stretch, 500 * kHour, 500 * kHour + 100);
}

TEST(TimeStretch, HoldsEverythingWhereManyTimesAreFarAway) {
  TimeStretch stretch = stretch_of(500 * kHour, 500 * kHour + 100, 18);
  stretch.add(0);
  stretch.add(1);
  expect_main(stretch, 0, 500 * kHour + 100);
}

TEST(TimeStretch, TakesTimesFromBothEndsOfTheNumbers) {
  TimeStretch stretch;
  stretch.add(std::numeric_limits<Nanoseconds>::min());
  stretch.add(std::numeric_limits<Nanoseconds>::max());
  expect_main(stretch, std::numeric_limits<Nanoseconds>::min(), std::numeric_limits<Nanoseconds>::max());
}

}  // namespace
}  // namespace tauprof
