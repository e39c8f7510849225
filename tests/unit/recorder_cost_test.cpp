// The cost of recording, of several logs together.
#include "model/recorder_cost.h"

#include <gtest/gtest.h>

namespace tauprof {
namespace {

RecorderCost cost_of(Nanoseconds calls, Nanoseconds events) {
  RecorderCost cost;
  cost.is_known = cost.has_parts = cost.is_without_cupti = true;
  cost.start_and_calls = calls;
  cost.events = events;
  return cost;
}

TEST(RecorderCost, IsTheSumOfItsPartsAndLogs) {
  RecorderCost sum;
  sum.add(cost_of(10, 5));
  sum.add(cost_of(20, 7));
  EXPECT_TRUE(sum.is_known && sum.has_parts && sum.is_without_cupti);
  EXPECT_EQ(sum.total(), 42);
  EXPECT_EQ(sum.events, 12);
}

TEST(RecorderCost, LacksPartsThatOneLogLacks) {
  RecorderCost older = cost_of(20, 0);
  older.has_parts = older.is_without_cupti = false;
  for (const bool older_is_first : {true, false}) {
    RecorderCost sum;
    sum.add(older_is_first ? older : cost_of(10, 5));
    sum.add(older_is_first ? cost_of(10, 5) : older);
    EXPECT_FALSE(sum.has_parts);
    EXPECT_FALSE(sum.is_without_cupti);
    EXPECT_EQ(sum.total(), 35);
  }
}

TEST(RecorderCost, IsNotKnownFromLogsThatDoNotSay) {
  RecorderCost sum;
  sum.add({});
  EXPECT_FALSE(sum.is_known);
}

}  // namespace
}  // namespace tauprof
