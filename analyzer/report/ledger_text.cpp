#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "report/section_lengths.h"
#include "report/text_lines.h"
#include "report/text_sections.h"
#include "report/text_table.h"
#include "report/text_values.h"
#include "report/value_names.h"

namespace tauprof {
namespace {

constexpr double kLongestBar = 30;

std::vector<std::string> cells_of(const RankMetrics& rank, double blamed_ns) {
  const LedgerRows rows = rank.ledger.rows();
  const auto time = [&](LedgerRow row) { return rows[static_cast<size_t>(row)]; };
  const auto share = [&](Nanoseconds part) {
    return rank.step_ns > 0 ? percent_text(static_cast<double>(part) / static_cast<double>(rank.step_ns)) : "-";
  };
  const auto if_any = [&](LedgerRow row) { return time(row) > 0 ? share(time(row)) : "-"; };
  return {std::to_string(rank.rank),
          duration_text(static_cast<double>(rank.step_ns) / static_cast<double>(std::max<size_t>(1, rank.windows))),
          share(time(LedgerRow::kCompute)),
          if_any(LedgerRow::kFusedCommCompute),
          if_any(LedgerRow::kExposedCommTransfer),
          if_any(LedgerRow::kExposedCommWait),
          if_any(LedgerRow::kExposedCommUnsplit),
          if_any(LedgerRow::kExposedCopy),
          if_any(LedgerRow::kUnclassified),
          share(idle_time(rows)),
          percent_text(rank.overlap.fraction()),
          duration_text(blamed_ns)};
}

}  // namespace

std::string ledger_text(const Report& report, size_t width) {
  const RunMetrics& metrics = report.metrics;
  const auto total = static_cast<double>(metrics.step_ns());
  if (total <= 0) return {};
  const LedgerRows rows = metrics.time.ledger.rows();
  const auto windows = static_cast<double>(metrics.time.windows);
  TextTable table({{"", true}, {""}, {""}, {"", true, 1}});
  for (size_t row = 0; row < kLedgerRowCount; ++row) {
    if (rows[row] == 0) continue;
    const auto time = static_cast<double>(rows[row]);
    const double share = time / total;
    table.row({std::string(kLedgerRowNames[row]), duration_text(time / windows), fmt::format("{:.2f} %", 100 * share),
               std::string(static_cast<size_t>(share * kLongestBar + 0.5), '#')});
  }
  table.row({std::string(report.unit()), duration_text(total / windows), "100.00 %"});
  return fmt::format("\nWHERE THE TIME GOES   (device time of all ranks; the rows sum to the {}s)\n", report.unit()) +
         table.text(width);
}

std::string overlap_text(const Overlap& overlap) {
  if (overlap.comm == 0) return {};
  return fmt::format("\nOVERLAP\n  {} of communication hidden under computation; overlap efficiency {}\n",
                     percent_text(overlap.fraction()), percent_text(overlap.efficiency()));
}

std::string ranks_text(const Report& report, size_t width) {
  const RunMetrics& metrics = report.metrics;
  if (metrics.ranks.size() < 2 || metrics.step_ns() <= 0) return {};
  TextTable table({{"rank"},
                   {std::string(report.unit()), false, 3},
                   {"compute"},
                   {"fused"},
                   {"transfer"},
                   {"wait"},
                   {"unsplit"},
                   {"copy"},
                   {"unclassified"},
                   {"idle"},
                   {"overlap", false, 1},
                   {"waited for it", false, 4}});
  for (size_t i = 0; i < std::min(metrics.ranks.size(), kMostRankLines); ++i) {
    double blamed_ns = 0;
    for (const RankBlame& blame : metrics.stragglers.ranks)
      if (blame.rank == metrics.ranks[i].rank) blamed_ns = blame.total_ns();
    table.row(cells_of(metrics.ranks[i], blamed_ns));
  }
  TextLines lines;
  lines.left_out(metrics.ranks.size(), kMostRankLines);
  return fmt::format("\nRANKS   (share of the rank's {} time; from compute to idle they sum to it)\n", report.unit()) +
         table.text(width) + lines.take();
}

}  // namespace tauprof
