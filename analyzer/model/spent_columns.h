// A rank's spending up to the start of each of its collectives, in columns: a quantity that never changes takes no
// memory, and one that grows by less than four seconds over a few collectives takes four bytes for each.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "model/compute_work.h"
#include "model/ledger.h"

namespace tauprof {

// Time that a rank had spent per ledger row when one of its collectives started. All exposed communication is in
// kExposedCommUnsplit.
struct SpentTime {
  LedgerRows rows{};
  ComputeWork work;
  uint64_t copied_bytes = 0;
};

// Time that the host had spent when it launched a collective, by the host's rows of the ledger. What is of none of them
// is launching.
struct HostSpending {
  std::array<Nanoseconds, kHostRowCount> rows{};  // as kHostRows

  Nanoseconds& operator[](LedgerRow row) { return rows[place_in_host_rows(row)]; }
  Nanoseconds operator[](LedgerRow row) const { return rows[place_in_host_rows(row)]; }
  void add(LedgerRow row, Nanoseconds length) { (*this)[is_of_host(row) ? row : LedgerRow::kIdleHostLaunch] += length; }
};

inline HostSpending operator-(HostSpending now, const HostSpending& before) {
  for (size_t row = 0; row < kHostRowCount; ++row) now.rows[row] -= before.rows[row];
  return now;
}

struct SpentBefore {
  SpentTime device;
  HostSpending host;
};

class SpentColumns {
 public:
  SpentColumns() = default;
  explicit SpentColumns(const std::vector<SpentBefore>& by_collective);

  size_t size() const { return size_; }
  // `collective`: index into RankTimeline::collectives. Of those that it is not known of, nothing.
  SpentBefore operator[](size_t collective) const;
  // From the start of one to that of another. Nothing, unless it is known of both.
  SpentBefore between(size_t from, size_t to) const;

 private:
  static constexpr size_t kFields = kLedgerRowCount + kHostRowCount + 1 + kWorkMeasures.size();
  using Row = std::array<int64_t, kFields>;

  // One quantity that is not always 0.
  struct Column {
    size_t field;
    bool is_real = false;          // its values are the bits of doubles that are not whole
    std::vector<int64_t> bases;    // of each block, or of each collective, where differences are too large
    std::vector<uint32_t> more{};  // than the base
    int64_t operator[](size_t collective) const {
      return more.empty() ? bases[collective] : bases[collective / kBlock] + more[collective];
    }
    double real(size_t collective) const {
      const int64_t value = (*this)[collective];
      return is_real ? std::bit_cast<double>(value) : static_cast<double>(value);
    }
  };
  static constexpr size_t kBlock = 32;

  static Row row_of(const SpentBefore& spent);
  static void set(SpentBefore& spent, size_t field, int64_t value, double real);
  static void shorten(Column& column);

  std::vector<Column> columns_;
  size_t size_ = 0;
};

}  // namespace tauprof
