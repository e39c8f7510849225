#include "capture/device/cupti_quirks.h"

namespace tauprof::capture {
namespace {

constexpr uint32_t kCuda12_5 = 23;
constexpr uint32_t kCuda12_9 = 27;
constexpr uint32_t kCuda13_0Update1 = 130001;
constexpr uint32_t kCuda13_2 = 130200;
constexpr uint32_t kCuda13_4 = 130400;
constexpr uint32_t kCuda13_4Update1 = 130401;

}  // namespace

CuptiQuirks cupti_quirks(uint32_t version) {
  return {
      .refused_buffer_crashes = version < kCuda12_9,
      .disable_can_deadlock = version < kCuda13_0Update1,
      .flush_can_crash = version < kCuda13_0Update1,
      .graph_copies_crash = version < kCuda12_5,
      .cpu_time_grows = version < kCuda13_4Update1,
      .subscribers_exclude_us = version >= kCuda13_2,
      .subscribers_have_clocks = version >= kCuda13_4,
  };
}

}  // namespace tauprof::capture
