#include "capture/device/lent_times.h"

#include <gtest/gtest.h>

namespace tauprof::capture {
namespace {

TEST(LentTimesTest, EachTimeIsReadOnceWhenItIsOver) {
  LentTimes lent;
  uint64_t start = 0, end = 0;
  lent.take(5);  // at the start
  lent.give(10);
  EXPECT_FALSE(lent.next(start, end));
  EXPECT_EQ(lent.open(), 10u);
  lent.take(20);
  lent.give(30);  // before anybody has read
  lent.take(40);
  lent.give(50);
  EXPECT_TRUE(lent.next(start, end));
  EXPECT_EQ((std::pair{start, end}), (std::pair<uint64_t, uint64_t>{10, 20}));
  EXPECT_TRUE(lent.next(start, end));
  EXPECT_EQ((std::pair{start, end}), (std::pair<uint64_t, uint64_t>{30, 40}));
  EXPECT_FALSE(lent.next(start, end));
  EXPECT_EQ(lent.open(), 50u);
  lent.take(60);
  EXPECT_TRUE(lent.next(start, end));
  EXPECT_EQ(lent.open(), 0u);
}

}  // namespace
}  // namespace tauprof::capture
