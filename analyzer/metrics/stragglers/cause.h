// Why a rank was late, as far as the records tell.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "model/ledger.h"

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
  kInputCopy,
  kMoreTokens,
};
inline constexpr size_t kCauseCount = 13;
inline constexpr std::array<std::string_view, kCauseCount> kCauseNames = {
    "unknown",    "slow_compute", "more_compute", "data_wait",      "host_sync",  "host_stall", "host_launch",
    "allocation", "slow_link",    "throttled",    "cpu_contention", "input_copy", "more_tokens"};

// The row of the ledger that shows nothing but a cause as idle time; nullopt: none does.
constexpr std::optional<LedgerRow> row_of(Cause cause) {
  switch (cause) {
    case Cause::kDataWait:
      return LedgerRow::kIdleDataWait;
    case Cause::kHostSync:
      return LedgerRow::kIdleHostSync;
    case Cause::kHostStall:
      return LedgerRow::kIdleHostStall;
    case Cause::kAllocation:
      return LedgerRow::kIdleHostAllocation;
    default:
      return std::nullopt;
  }
}

}  // namespace tauprof
