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
#define CAUSE(cause, ...) k##cause,
#include "metrics/stragglers/causes.def"
#undef CAUSE
};

inline constexpr auto kCauseNames = std::to_array<std::string_view>({
#define CAUSE(cause, name, ...) name,
#include "metrics/stragglers/causes.def"
#undef CAUSE
});
inline constexpr size_t kCauseCount = kCauseNames.size();

// Of each row of the ledger: why a rank is late that spends more on it than its peers (ledger.def).
constexpr Cause cause_of_more(LedgerRow row) {
  constexpr Cause kCauses[] = {
#define LEDGER_ROW(row, name, label, colour, side, cause, word) Cause::cause,
#include "model/ledger.def"
#undef LEDGER_ROW
  };
  return kCauses[static_cast<size_t>(row)];
}

// The host's row that a cause makes longer; nullopt: it is none of the host's.
constexpr std::optional<LedgerRow> host_row_of(Cause cause) {
  constexpr auto kRows = [] {
    std::array<std::optional<LedgerRow>, kCauseCount> rows;
    for (const LedgerRow row : kHostRows) rows[static_cast<size_t>(cause_of_more(row))] = row;
    return rows;
  }();
  return kRows[static_cast<size_t>(cause)];
}

static_assert(!host_row_of(Cause::kUnknown), "each row of the host has a cause of its own");

// A thread without a CPU may look like any of these from outside.
constexpr bool is_of_host(Cause cause) { return host_row_of(cause).has_value(); }

// The row that shows nothing but a cause; nullopt: none does. All hosts launch.
constexpr std::optional<LedgerRow> row_of(Cause cause) {
  return cause == Cause::kHostLaunch ? std::nullopt : host_row_of(cause);
}

// The row of the late rank's ledger in which a cause shows. Without a CPU a thread is stalled.
constexpr LedgerRow shown_in(Cause cause) {
  switch (cause) {
    case Cause::kCpuContention:
      return LedgerRow::kIdleHostStall;
    case Cause::kInputCopy:
      return LedgerRow::kExposedCopy;
    case Cause::kSlowLink:
      return LedgerRow::kExposedCommTransfer;
    default:
      return host_row_of(cause).value_or(LedgerRow::kCompute);
  }
}

}  // namespace tauprof
