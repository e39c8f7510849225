// Why a rank was late, as far as the records tell.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace tauprof {

enum class Cause : uint8_t {
  kUnknown,
  kSlowCompute,
  kMoreCompute,
  kDataWait,
  kHostSync,
  kHostStall,
  kHostLaunch,
  kAllocation,
  kSlowLink,
  kThrottled,
  kCpuContention,
};
inline constexpr size_t kCauseCount = 11;
inline constexpr std::array<std::string_view, kCauseCount> kCauseNames = {
    "unknown",     "slow_compute", "more_compute", "data_wait", "host_sync",     "host_stall",
    "host_launch", "allocation",   "slow_link",    "throttled", "cpu_contention"};

}  // namespace tauprof
