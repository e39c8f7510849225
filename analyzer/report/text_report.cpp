#include "report/text_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>

#include "metrics/stragglers/throttle_reasons.h"
#include "report/communication_text.h"
#include "report/progress_text.h"
#include "report/section_lengths.h"
#include "report/step_text.h"
#include "report/value_names.h"

namespace tauprof {
namespace {

std::string duration(double ns) { return duration_text(ns); }

std::string percent(const std::optional<double>& share) { return share ? fmt::format("{:.1f} %", 100 * *share) : "-"; }

std::string bytes(const std::optional<int64_t>& size) {
  if (!size) return "-";
  const auto value = static_cast<double>(*size);
  if (value >= 1 << 30) return fmt::format("{:.2f} GiB", value / (1 << 30));
  if (value >= 1 << 20) return fmt::format("{:.2f} MiB", value / (1 << 20));
  if (value >= 1 << 10) return fmt::format("{:.2f} KiB", value / (1 << 10));
  return fmt::format("{} B", *size);
}

std::string rate(const std::optional<double>& gb_per_s) { return gb_per_s ? fmt::format("{:.2f}", *gb_per_s) : "-"; }

// On one line, whatever bytes a name contains.
std::string printable(const std::string& text) {
  std::string clean = valid_utf8(text);
  std::replace_if(
      clean.begin(), clean.end(), [](unsigned char c) { return c < 0x20 || c == 0x7F; }, '?');
  return clean;
}

std::string shortened(const std::string& text, size_t width) {
  const std::string clean = printable(text);
  if (clean.size() <= width) return clean;
  size_t end = width - 3;
  while (end > 0 && (static_cast<unsigned char>(clean[end]) & 0xC0) == 0x80) --end;  // not inside a character
  return clean.substr(0, end) + "...";
}

// Keeps the end, which for a path is the file and the line.
std::string shortened_front(const std::string& text, size_t width) {
  const std::string clean = printable(text);
  if (clean.size() <= width) return clean;
  size_t start = clean.size() - (width - 3);
  while (start < clean.size() && (static_cast<unsigned char>(clean[start]) & 0xC0) == 0x80) ++start;
  return "..." + clean.substr(start);
}

class TextReport {
 public:
  explicit TextReport(const Report& report) : report_(report), metrics_(report.metrics) {
    for (const RankMetrics& rank : metrics_.ranks) total_ns_ += static_cast<double>(rank.step_ns);
  }

  std::string write() {
    header();
    text_ += progress_text(metrics_.progress);
    text_ += steps_text(report_);
    ledger();
    if (total_ns_ > 0) text_ += phases_text(report_) + input_text(report_);
    overlap();
    ranks();
    stragglers();
    collectives();
    text_ += communication_text(metrics_);
    kernels();
    slow_calls();
    findings();
    return std::move(text_);
  }

 private:
  template <class... Values>
  void line(fmt::format_string<Values...> format, Values&&... values) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Values>(values)...);
    text_ += '\n';
  }
  void title(const char* text) { line("\n{}", text); }

  void header() {
    const RunFacts& facts = report_.facts;
    line("tauprof report   {}{}", facts.source, facts.id.empty() ? "" : "   run " + printable(facts.id));
    if (!facts.command.empty()) line("  command   {}", shortened(facts.command, 86));
    std::string where =
        fmt::format("{} of {} ranks", facts.ranks, facts.world_size > 0 ? std::to_string(facts.world_size) : "?");
    if (!facts.hosts.empty())
      where += fmt::format(", {} host{}", facts.hosts.size(), facts.hosts.size() == 1 ? "" : "s");
    if (!facts.devices.empty()) where += ", " + printable(facts.devices.front());
    if (facts.started_realtime_ns != 0) where += ", started " + iso_time(facts.started_realtime_ns);
    line("  where     {}", where);
    line("  recorded  {} events, {} dropped, {} spans without their call; files: {} read, {} damaged, {} skipped",
         facts.events, facts.dropped_total(), facts.unmatched_spans, facts.files_read, facts.files_damaged,
         facts.files_skipped);
    if (!facts.missing_ranks.empty())
      line("  missing   {} rank{} without a log: {}", facts.missing_ranks.size(),
           facts.missing_ranks.size() == 1 ? "" : "s",
           shortened(fmt::format("{}", fmt::join(facts.missing_ranks, ", ")), 64));
  }

  void ledger() {
    if (total_ns_ <= 0) return;
    line("\nWHERE THE TIME GOES   (device time of all ranks; the rows sum to the {}s)", report_.unit());
    const LedgerRows rows = metrics_.ledger.rows();
    const auto windows = static_cast<double>(metrics_.windows);
    for (size_t row = 0; row < kLedgerRowCount; ++row) {
      if (rows[row] == 0) continue;
      const double share = static_cast<double>(rows[row]) / total_ns_;
      line("  {:<22} {:>14} {:>7.2f} %  {}", kLedgerRowNames[row], duration(static_cast<double>(rows[row]) / windows),
           100 * share, std::string(static_cast<size_t>(share * 40 + 0.5), '#'));
    }
    line("  {:<22} {:>14} {:>7.2f} %", report_.unit(), duration(total_ns_ / windows), 100.0);
  }

  void overlap() {
    const Overlap& of = metrics_.overlap;
    if (of.comm == 0) return;
    title("OVERLAP");
    line("  {} of communication hidden under computation; overlap efficiency {}", percent(of.fraction()),
         percent(of.efficiency()));
  }

  void ranks() {
    if (metrics_.ranks.size() < 2 || total_ns_ <= 0) return;
    line("\nRANKS   (share of the rank's {} time)", report_.unit());
    line("  {:>5} {:>12} {:>8} {:>9} {:>8} {:>9} {:>7} {:>7} {:>8} {:>14}", "rank", report_.unit(), "compute",
         "transfer", "wait", "unsplit", "copy", "idle", "overlap", "waited for it");
    for (size_t i = 0; i < std::min(metrics_.ranks.size(), kMostRankLines); ++i) rank_line(i);
    if (metrics_.ranks.size() > kMostRankLines)
      line("  ... {} more in the JSON report", metrics_.ranks.size() - kMostRankLines);
  }

  void rank_line(size_t index) {
    const RankMetrics& rank = metrics_.ranks[index];
    const LedgerRows rows = rank.ledger.rows();
    const auto share = [&](LedgerRow row) {
      return rank.step_ns > 0
                 ? 100 * static_cast<double>(rows[static_cast<size_t>(row)]) / static_cast<double>(rank.step_ns)
                 : 0;
    };
    double idle = 0;
    for (size_t row = static_cast<size_t>(LedgerRow::kIdleDependency); row < kLedgerRowCount; ++row)
      idle += share(static_cast<LedgerRow>(row));
    double blamed = 0;
    for (const RankBlame& blame : metrics_.stragglers.ranks)
      if (blame.rank == rank.rank) blamed = blame.blamed_ns();
    const auto steps = static_cast<double>(std::max<size_t>(1, rank.windows));
    line("  {:>5} {:>12} {:>7.1f}% {:>8.1f}% {:>7.1f}% {:>8.1f}% {:>6.1f}% {:>6.1f}% {:>8} {:>14}", rank.rank,
         duration(static_cast<double>(rank.step_ns) / steps), share(LedgerRow::kCompute),
         share(LedgerRow::kExposedCommTransfer), share(LedgerRow::kExposedCommWait),
         share(LedgerRow::kExposedCommUnsplit), share(LedgerRow::kExposedCopy), idle, percent(rank.overlap.fraction()),
         duration(blamed));
  }

  static std::string throttled_by(uint64_t reasons) {
    return reasons == 0 ? "" : fmt::format(" ({})", fmt::join(throttle_reason_names(reasons), ", "));
  }

  void stragglers() {
    if (metrics_.ranks.size() < 2) return;
    title("STRAGGLERS");
    if (metrics_.stragglers.found.empty()) {
      line("  {}", metrics_.waits.split > 0 ? "none stands out"
                                            : "cannot be told: no collective has the logs of all its ranks");
      return;
    }
    for (const Straggler& straggler : metrics_.stragglers.found)
      line(
          "  rank {:<4} {} in {} of {} {}s; the others waited {} for it ({:.1f} % of all GPU time); last at {:.0f} "
          "%; cause: {}{}{}",
          straggler.rank, straggler.is_persistent ? "persistent," : "transient,", straggler.steps.size(),
          metrics_.steps.analysed.size(), report_.unit(), duration(straggler.blamed_ns), 100 * straggler.score,
          100 * straggler.last_share, kCauseNames[static_cast<size_t>(straggler.cause)],
          straggler.cause == Cause::kThrottled ? throttled_by(straggler.throttle_reasons) : "",
          straggler.is_within_clock_bound ? "; its clock may be wrong by as much" : "");
  }

  void collectives() {
    if (metrics_.collectives.empty()) return;
    title("COLLECTIVES   (longest exposed first; totals over ranks, skew on average)");
    line("  {:<20} {:<15} {:<9} {:>11} {:>6} {:>8} {:>8} {:>11} {:>11} {:>11}", "communicator", "operation", "type",
         "size", "count", "busbw", "transfer", "wait", "skew", "exposed");
    for (size_t i = 0; i < std::min(metrics_.collectives.size(), kMostTableLines); ++i) {
      const CollectiveMetrics& of = metrics_.collectives[i];
      line("  {:<20} {:<15} {:<9} {:>11} {:>6} {:>8} {:>8} {:>11} {:>11} {:>11}", shortened(of.communicator, 20),
           name_of(of.operation), of.datatype == log::DataType::kUnknown ? "-" : name_of(of.datatype),
           bytes(of.size_bytes), of.count, rate(of.busbw_gb_per_s), rate(of.busbw_transfer_gb_per_s),
           of.wait_ns ? (of.wait_is_upper_bound ? "<=" : "") + duration(static_cast<double>(*of.wait_ns)) : "-",
           of.skew_ns ? duration(static_cast<double>(*of.skew_ns) / static_cast<double>(of.count)) : "-",
           duration(static_cast<double>(of.exposed_ns)));
    }
    if (metrics_.collectives.size() > kMostTableLines)
      line("  ... {} more in the JSON report", metrics_.collectives.size() - kMostTableLines);
    line(
        "  busbw in GB/s over the whole span; transfer: over the shortest span of all ranks, free of waiting; -: ranks "
        "missing");
    exchanges();
  }

  // Unequal exchanges: the size does not show which rank the others wait for.
  void exchanges() {
    for (size_t i = 0; i < std::min(metrics_.collectives.size(), kMostTableLines); ++i) {
      const CollectiveMetrics& of = metrics_.collectives[i];
      if (of.heaviest_receiver >= 0)
        line("  {} on {}: rank {} receives most, the heaviest receiver {:.2f} x the mean", name_of(of.operation),
             shortened(of.communicator, 20), of.heaviest_receiver, *of.imbalance_received);
    }
  }

  void kernels() {
    if (metrics_.kernels.empty()) return;
    title("KERNELS");
    for (size_t i = 0; i < std::min(metrics_.kernels.size(), kMostTableLines); ++i) {
      const KernelMetrics& of = metrics_.kernels[i];
      line("  {:>5.1f} % {:>12} {:>8} x  {:<12} {}",
           100 * static_cast<double>(of.total) / static_cast<double>(std::max<Nanoseconds>(metrics_.kernel_total, 1)),
           duration(static_cast<double>(of.total)), of.count, name_of(of.span_class), shortened(of.name, 60));
    }
    if (metrics_.kernels.size() > kMostTableLines)
      line("  ... {} more in the JSON report", metrics_.kernels.size() - kMostTableLines);
  }

  void slow_calls() {
    if (metrics_.source_lines.empty()) return;
    title("SLOW CALLS BY PLACE   (on the host; the longest first)");
    size_t lines = 0;
    for (const SourceLineMetrics& of : metrics_.source_lines) {
      if (of.count == 0 || ++lines > kMostTableLines) continue;
      line("  {:>12} {:>8} x  {:<26} {}", duration(static_cast<double>(of.total)), of.count,
           of.call.empty() ? "between calls" : shortened(of.call, 26), shortened_front(of.where, 70));
    }
    if (lines > kMostTableLines) line("  ... {} more in the JSON report", lines - kMostTableLines);
  }

  void findings() {
    title("FINDINGS");
    if (report_.findings.empty()) line("  none");
    for (const Finding& finding : report_.findings) {
      line("  [{}] {}{}", name_of(finding.severity), finding.title,
           finding.saves_ns_per_step > 0 ? ": up to " + duration(finding.saves_ns_per_step) + " a step" : "");
      line("      {}", finding.evidence);
      if (!finding.where.empty()) line("      at {}", shortened_front(finding.where, 110));
      line("      {}", finding.advice);
    }
  }

  const Report& report_;
  const RunMetrics& metrics_;
  double total_ns_ = 0;
  std::string text_;
};

}  // namespace

std::string text_report(const Report& report) { return TextReport(report).write(); }

}  // namespace tauprof
