#include "report/ledger_text.h"

#include <algorithm>

#include "report/section_lengths.h"
#include "report/text_lines.h"
#include "report/text_values.h"
#include "report/value_names.h"

namespace tauprof {
namespace {

void ledger_of_rank(TextLines& lines, const RankMetrics& rank, double blamed_ns) {
  const LedgerRows rows = rank.ledger.rows();
  const auto share = [&](LedgerRow row) {
    return rank.step_ns > 0
               ? 100 * static_cast<double>(rows[static_cast<size_t>(row)]) / static_cast<double>(rank.step_ns)
               : 0;
  };
  double idle = 0;
  for (size_t row = static_cast<size_t>(LedgerRow::kIdleDependency); row < kLedgerRowCount; ++row)
    idle += share(static_cast<LedgerRow>(row));
  const auto steps = static_cast<double>(std::max<size_t>(1, rank.windows));
  lines.line("  {:>5} {:>12} {:>7.1f}% {:>8.1f}% {:>7.1f}% {:>8.1f}% {:>6.1f}% {:>6.1f}% {:>8} {:>14}", rank.rank,
             duration_text(static_cast<double>(rank.step_ns) / steps), share(LedgerRow::kCompute),
             share(LedgerRow::kExposedCommTransfer), share(LedgerRow::kExposedCommWait),
             share(LedgerRow::kExposedCommUnsplit), share(LedgerRow::kExposedCopy), idle,
             percent_text(rank.overlap.fraction()), duration_text(blamed_ns));
}

}  // namespace

std::string ledger_text(const Report& report) {
  const RunMetrics& metrics = report.metrics;
  const auto total = static_cast<double>(metrics.step_ns());
  if (total <= 0) return {};
  TextLines lines;
  lines.line("\nWHERE THE TIME GOES   (device time of all ranks; the rows sum to the {}s)", report.unit());
  const LedgerRows rows = metrics.ledger.rows();
  const auto windows = static_cast<double>(metrics.windows);
  for (size_t row = 0; row < kLedgerRowCount; ++row) {
    if (rows[row] == 0) continue;
    const auto time = static_cast<double>(rows[row]);
    const double share = time / total;
    lines.line("  {:<22} {:>14} {:>7.2f} %  {}", kLedgerRowNames[row], duration_text(time / windows), 100 * share,
               std::string(static_cast<size_t>(share * 40 + 0.5), '#'));
  }
  lines.line("  {:<22} {:>14} {:>7.2f} %", report.unit(), duration_text(total / windows), 100.0);
  return lines.take();
}

std::string overlap_text(const Overlap& of) {
  if (of.comm == 0) return {};
  return fmt::format("\nOVERLAP\n  {} of communication hidden under computation; overlap efficiency {}\n",
                     percent_text(of.fraction()), percent_text(of.efficiency()));
}

std::string ranks_text(const Report& report) {
  const RunMetrics& metrics = report.metrics;
  if (metrics.ranks.size() < 2 || metrics.step_ns() <= 0) return {};
  TextLines lines;
  lines.line("\nRANKS   (share of the rank's {} time)", report.unit());
  lines.line("  {:>5} {:>12} {:>8} {:>9} {:>8} {:>9} {:>7} {:>7} {:>8} {:>14}", "rank", report.unit(), "compute",
             "transfer", "wait", "unsplit", "copy", "idle", "overlap", "waited for it");
  for (size_t i = 0; i < std::min(metrics.ranks.size(), kMostRankLines); ++i) {
    double blamed_ns = 0;
    for (const RankBlame& blame : metrics.stragglers.ranks)
      if (blame.rank == metrics.ranks[i].rank) blamed_ns = blame.blamed_ns();
    ledger_of_rank(lines, metrics.ranks[i], blamed_ns);
  }
  lines.left_out(metrics.ranks.size(), kMostRankLines);
  return lines.take();
}

}  // namespace tauprof
