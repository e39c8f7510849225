#include "capture/device/clock_watch.h"

#include <gtest/gtest.h>

namespace tauprof::capture {
namespace {

constexpr uint64_t kSecond = 1'000'000'000;

TEST(ClockWatchTest, AClockThatIsOnlyElsewhereDoesNotJump) {
  ClockWatch watch;
  for (uint64_t i = 0; i < 10; ++i) watch.look((i + 3600) * kSecond, i * kSecond);
  EXPECT_FALSE(watch.jumped());
}

TEST(ClockWatchTest, OneJumpIsEnough) {
  for (const int64_t by : {2, -2}) {
    ClockWatch watch;
    for (const int64_t jump : {int64_t{0}, by, int64_t{0}})
      watch.look(static_cast<uint64_t>(3600 + jump) * kSecond, 100 * kSecond);
    EXPECT_TRUE(watch.jumped());
  }
}

TEST(ClockWatchTest, TheProcessorMayBeLostBetweenTheReadings) {
  ClockWatch watch;
  watch.look(100 * kSecond, 100 * kSecond);
  watch.look(200 * kSecond, 200 * kSecond + kSecond / 2);
  EXPECT_FALSE(watch.jumped());
}

}  // namespace
}  // namespace tauprof::capture
