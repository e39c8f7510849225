// Names for NVML's reasons for a low device clock (nvmlClocksEventReason…).
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace tauprof {

// Without the bit for an idle device, which is no reason for a device that computes.
inline constexpr std::array kThrottleReasons{std::pair<uint64_t, std::string_view>{0x20, "sw_thermal_slowdown"},
                                             std::pair<uint64_t, std::string_view>{0x40, "hw_thermal_slowdown"},
                                             std::pair<uint64_t, std::string_view>{0x04, "sw_power_cap"},
                                             std::pair<uint64_t, std::string_view>{0x80, "hw_power_brake_slowdown"},
                                             std::pair<uint64_t, std::string_view>{0x08, "hw_slowdown"},
                                             std::pair<uint64_t, std::string_view>{0x10, "sync_boost"},
                                             std::pair<uint64_t, std::string_view>{0x02, "application_clocks_setting"},
                                             std::pair<uint64_t, std::string_view>{0x100, "display_clock_setting"}};

inline std::vector<std::string_view> throttle_reason_names(uint64_t bits) {
  std::vector<std::string_view> names;
  for (const auto& [bit, name] : kThrottleReasons)
    if ((bits & bit) != 0) names.push_back(name);
  return names;
}

}  // namespace tauprof
