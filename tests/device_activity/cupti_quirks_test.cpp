#include "capture/device/cupti_quirks.h"

#include <gtest/gtest.h>

namespace tauprof::capture {
namespace {

TEST(CuptiQuirksTest, RefusingABufferCrashesUpToCuda12_8) {
  EXPECT_TRUE(cupti_quirks(0).refused_buffer_crashes);  // not known: the oldest
  EXPECT_TRUE(cupti_quirks(26).refused_buffer_crashes);
  EXPECT_FALSE(cupti_quirks(27).refused_buffer_crashes);
  EXPECT_FALSE(cupti_quirks(130000).refused_buffer_crashes);
}

TEST(CuptiQuirksTest, DisablingAndFlushingAreSafeFromCuda13_0Update1) {
  for (const uint32_t version : {22u, 28u, 130000u}) {
    EXPECT_TRUE(cupti_quirks(version).disable_can_deadlock) << version;
    EXPECT_TRUE(cupti_quirks(version).flush_can_crash) << version;
  }
  for (const uint32_t version : {130001u, 130100u, 130401u}) {
    EXPECT_FALSE(cupti_quirks(version).disable_can_deadlock) << version;
    EXPECT_FALSE(cupti_quirks(version).flush_can_crash) << version;
  }
}

// 12.4, where graphs with copies crash, and 12.4 Update 1, where they do not, have the same number.
TEST(CuptiQuirksTest, GraphsWithCopiesAreSafeFromCuda12_5) {
  EXPECT_TRUE(cupti_quirks(22).graph_copies_crash);
  EXPECT_FALSE(cupti_quirks(23).graph_copies_crash);
}

TEST(CuptiQuirksTest, NewerVersions) {
  EXPECT_TRUE(cupti_quirks(130400).cpu_time_grows);
  EXPECT_FALSE(cupti_quirks(130401).cpu_time_grows);
  EXPECT_FALSE(cupti_quirks(130100).subscribers_exclude_us);
  EXPECT_TRUE(cupti_quirks(130200).subscribers_exclude_us);
  EXPECT_FALSE(cupti_quirks(130301).subscribers_have_clocks);
  EXPECT_TRUE(cupti_quirks(130400).subscribers_have_clocks);
}

}  // namespace
}  // namespace tauprof::capture
