#include "capture/device/record_watch.h"

#include <gtest/gtest.h>

namespace tauprof::capture {
namespace {

constexpr uint64_t kSecond = 1'000'000'000;

class RecordWatchTest : public testing::Test {
 protected:
  void SetUp() override { watch_.restart(use(0), 0); }
  static ActivityBuffers::Use use(uint64_t room, uint64_t requests = 7) { return {room > 0, room, requests, 0, 0}; }
  // Launches from second 1 on.
  void launch(int count) {
    for (int i = 0; i < count; ++i)
      if (watch_.listens(kSecond)) watch_.launched(kSecond);
  }
  RecordWatch watch_;
};

TEST_F(RecordWatchTest, LaunchesWithoutAnyRequestMeanThatNoRecordsCome) {
  launch(20);
  EXPECT_FALSE(watch_.is_blind(use(0), false, 2 * kSecond));
  EXPECT_TRUE(watch_.is_blind(use(0), false, 3 * kSecond));
}

TEST_F(RecordWatchTest, AFewLaunchesMeanNothing) {
  launch(19);
  EXPECT_FALSE(watch_.is_blind(use(0), false, 100 * kSecond));
}

TEST_F(RecordWatchTest, ARequestIsASignOfLife) {
  launch(20);
  EXPECT_FALSE(watch_.is_blind(use(0, 8), false, 3 * kSecond));
  EXPECT_EQ(watch_.launches(), 0u);
  EXPECT_FALSE(watch_.listens(3 * kSecond));  // for a while
}

TEST_F(RecordWatchTest, ABufferThatIsKeptBackMayHoldTheLaunches) {
  launch(100);
  EXPECT_FALSE(watch_.is_blind(use(100), false, 100 * kSecond));
  EXPECT_TRUE(watch_.is_blind(use(100), true, 100 * kSecond));  // force brought nothing
  EXPECT_TRUE(watch_.is_blind(use(99), false, 100 * kSecond));
}

}  // namespace
}  // namespace tauprof::capture
