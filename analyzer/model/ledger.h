// The rows of the time ledger (docs/metrics.md, "The time ledger") and the tables made of them.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "model/phase.h"
#include "model/time.h"

namespace tauprof {

enum class LedgerRow : uint8_t {
  kCompute,
  kFusedCommCompute,
  kExposedCommTransfer,
  kExposedCommUnsplit,
  kExposedCommWait,
  kExposedCopy,
  kUnclassified,
  kIdleDependency,
  kIdleDeviceLatency,
  kIdleHostSync,
  kIdleHostAllocation,
  kIdleHostLaunch,
  kIdleDataWait,
  kIdleHostStall,
  kIdleOther,
};

inline constexpr size_t kLedgerRowCount = 15;
inline constexpr std::array<std::string_view, kLedgerRowCount> kLedgerRowNames = {"compute",
                                                                                  "fused_comm_compute",
                                                                                  "exposed_comm_transfer",
                                                                                  "exposed_comm_unsplit",
                                                                                  "exposed_comm_wait",
                                                                                  "exposed_copy",
                                                                                  "unclassified",
                                                                                  "idle_dependency",
                                                                                  "idle_device_latency",
                                                                                  "idle_host_sync",
                                                                                  "idle_host_allocation",
                                                                                  "idle_host_launch",
                                                                                  "idle_data_wait",
                                                                                  "idle_host_stall",
                                                                                  "idle_other"};

inline std::string_view row_name(LedgerRow row) { return kLedgerRowNames[static_cast<size_t>(row)]; }

using LedgerRows = std::array<Nanoseconds, kLedgerRowCount>;

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
