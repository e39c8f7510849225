// Time that the recorder spends on the program's threads.
#include "capture/rings/own_time.h"

#include <gtest/gtest.h>

namespace tauprof::capture {
namespace {

void spend(uint64_t ticks) {
  const uint64_t until = read_ticks() + ticks;
  while (read_ticks() < until) {
  }
}

TEST(OwnTime, CountsInnerTimesOnce) {
  const uint64_t cupti = own_ticks_of(OwnWork::kCupti), events = own_ticks_of(OwnWork::kEvents);
  const uint64_t start = read_ticks();
  {
    const OwnTime outer(OwnWork::kCupti);
    spend(1000);
    const OwnTime inner(OwnWork::kEvents);
    spend(1000);
  }
  const uint64_t all = read_ticks() - start;
  EXPECT_GE(own_ticks_of(OwnWork::kCupti) - cupti, 2000u);
  EXPECT_LE(own_ticks_of(OwnWork::kCupti) - cupti, all);
  EXPECT_EQ(own_ticks_of(OwnWork::kEvents), events);
}

TEST(OwnTime, LeavesOutThreadsThatRecordNothing) {
  const uint64_t cupti = own_ticks_of(OwnWork::kCupti);
  { const OwnTime time(OwnWork::kCupti, is_recorded_thread()); }
  EXPECT_EQ(own_ticks_of(OwnWork::kCupti), cupti);
}

}  // namespace
}  // namespace tauprof::capture
