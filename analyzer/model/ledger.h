// The rows of the time ledger (docs/metrics.md, "The time ledger") and the tables made of them.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <string_view>

#include "model/phase.h"
#include "model/time.h"

namespace tauprof {

enum class LedgerRow : uint8_t {
#define LEDGER_ROW(row, ...) k##row,
#include "model/ledger.def"
#undef LEDGER_ROW
};

// Who keeps the device idle: it is busy; the device itself, whatever the host does; the host; nobody knows.
enum class RowSide : uint8_t { kBusy, kDevice, kHost, kUnknown };

// A row of ledger.def, but for the cause, which belongs to the metrics.
struct LedgerRowKind {
  std::string_view name;
  std::string_view label;
  std::string_view colour;
  RowSide side;
  std::string_view word;
};

inline constexpr LedgerRowKind kLedgerRowKinds[] = {
#define LEDGER_ROW(row, name, label, colour, side, cause, word) {name, label, colour, RowSide::side, word},
#include "model/ledger.def"
#undef LEDGER_ROW
};

inline constexpr size_t kLedgerRowCount = std::size(kLedgerRowKinds);

inline constexpr std::array<std::string_view, kLedgerRowCount> kLedgerRowNames = {
#define LEDGER_ROW(row, name, ...) name,
#include "model/ledger.def"
#undef LEDGER_ROW
};

constexpr const LedgerRowKind& kind_of(LedgerRow row) { return kLedgerRowKinds[static_cast<size_t>(row)]; }
constexpr std::string_view row_name(LedgerRow row) { return kind_of(row).name; }
constexpr bool is_idle(LedgerRow row) { return kind_of(row).side != RowSide::kBusy; }
constexpr bool is_of_device(LedgerRow row) { return kind_of(row).side == RowSide::kDevice; }
constexpr bool is_of_host(LedgerRow row) { return kind_of(row).side == RowSide::kHost; }

inline constexpr size_t kHostRowCount =
    std::count_if(std::begin(kLedgerRowKinds), std::end(kLedgerRowKinds),
                  [](const LedgerRowKind& kind) { return kind.side == RowSide::kHost; });

// The rows of the host's time, in order.
inline constexpr std::array<LedgerRow, kHostRowCount> kHostRows = [] {
  std::array<LedgerRow, kHostRowCount> rows{};
  size_t count = 0;
  for (size_t row = 0; row < kLedgerRowCount; ++row)
    if (is_of_host(static_cast<LedgerRow>(row))) rows[count++] = static_cast<LedgerRow>(row);
  return rows;
}();

// Of a host's row.
constexpr size_t place_in_host_rows(LedgerRow row) {
  return static_cast<size_t>(std::find(kHostRows.begin(), kHostRows.end(), row) - kHostRows.begin());
}

using LedgerRows = std::array<Nanoseconds, kLedgerRowCount>;

inline Nanoseconds idle_time(const LedgerRows& rows) {
  Nanoseconds sum = 0;
  for (size_t row = 0; row < kLedgerRowCount; ++row)
    if (is_idle(static_cast<LedgerRow>(row))) sum += rows[row];
  return sum;
}

// Time by phase and row. Its sums are exact, as every nanosecond is in exactly one cell.
struct Ledger {
  PerPhase<LedgerRows> cells{};

  void add(Phase phase, LedgerRow row, Nanoseconds length) {
    cells[static_cast<size_t>(phase)][static_cast<size_t>(row)] += length;
  }
  void add(const Ledger& other) {
    for (size_t phase = 0; phase < kPhaseCount; ++phase)
      for (size_t row = 0; row < kLedgerRowCount; ++row) cells[phase][row] += other.cells[phase][row];
  }
  LedgerRows rows() const {
    LedgerRows sums{};
    for (const LedgerRows& phase : cells)
      for (size_t row = 0; row < kLedgerRowCount; ++row) sums[row] += phase[row];
    return sums;
  }
  Nanoseconds sum() const {
    Nanoseconds total = 0;
    for (Nanoseconds value : rows()) total += value;
    return total;
  }
};

}  // namespace tauprof
