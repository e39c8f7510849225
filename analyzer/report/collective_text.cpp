#include <algorithm>

#include "report/section_lengths.h"
#include "report/text_lines.h"
#include "report/text_sections.h"
#include "report/text_table.h"
#include "report/text_values.h"
#include "report/value_names.h"

namespace tauprof {
namespace {

std::string rate_text(const std::optional<double>& gb_per_s) {
  return gb_per_s ? fmt::format("{:.2f}", *gb_per_s) : "-";
}

std::string datatype_text(const CollectiveMetrics& collective) {
  return collective.datatype == log::DataType::kUnknown ? "-" : std::string(name_of(collective.datatype));
}

std::string wait_text(const CollectiveMetrics& collective) {
  if (collective.wait_at_least_ns && *collective.wait_at_least_ns > 0)
    return ">=" + duration_text(static_cast<double>(collective.wait_ns.value_or(0) + *collective.wait_at_least_ns));
  if (!collective.wait_ns) return "-";
  return (collective.wait_is_upper_bound ? "<=" : "") + duration_text(static_cast<double>(*collective.wait_ns));
}

std::vector<std::string> cells_of(const CollectiveMetrics& collective) {
  return {collective.communicator,
          std::string(name_of(collective.operation)),
          datatype_text(collective),
          size_text(collective.size_bytes),
          std::to_string(collective.count),
          rate_text(collective.busbw_gb_per_s),
          rate_text(collective.busbw_transfer_gb_per_s),
          collective.share_of_link() ? fmt::format("{:.0f} %", 100 * *collective.share_of_link()) : "-",
          wait_text(collective),
          collective.skew_ns ? duration_text(static_cast<double>(*collective.skew_ns) /
                                             static_cast<double>(collective.count - collective.untimed))
                             : "-",
          collective.exposed_ns ? duration_text(static_cast<double>(*collective.exposed_ns)) : "-"};
}

// Without device times there is only what the host called.
std::string called_collectives_text(const RunMetrics& metrics, size_t width) {
  TextTable table({{"communicator", true, 0, Fit::kName},
                   {"operation", true},
                   {"type", true, 2},
                   {"size"},
                   {"ranks", false, 1},
                   {"count"},
                   {"call: mean"}});
  for (size_t i = 0; i < std::min(metrics.communication.collectives.size(), kMostTableLines); ++i) {
    const CollectiveMetrics& collective = metrics.communication.collectives[i];
    table.row({collective.communicator, std::string(name_of(collective.operation)), datatype_text(collective),
               size_text(collective.size_bytes), std::to_string(collective.ranks), std::to_string(collective.count),
               collective.enqueue.count > 0 ? duration_text(collective.enqueue.mean) : "-"});
  }
  TextLines lines;
  lines.left_out(metrics.communication.collectives.size(), kMostTableLines);
  return "\nCOLLECTIVES   (as called on the host; nobody knows when they ran)\n" + table.text(width) + lines.take();
}

}  // namespace

std::string collectives_text(const RunMetrics& metrics, size_t width) {
  if (metrics.communication.collectives.empty()) return {};
  if (std::all_of(metrics.communication.collectives.begin(), metrics.communication.collectives.end(),
                  [](const CollectiveMetrics& collective) { return collective.untimed == collective.count; }))
    return called_collectives_text(metrics, width);
  TextTable table({{"communicator", true, 0, Fit::kName},
                   {"operation", true},
                   {"type", true, 2},
                   {"size"},
                   {"count", false, 4},
                   {"busbw", false, 3},
                   {"transfer", false, 5},
                   {"of peak", false, 6},
                   {"wait"},
                   {"skew", false, 1},
                   {"exposed"}});
  const size_t shown = std::min(metrics.communication.collectives.size(), kMostTableLines);
  for (size_t i = 0; i < shown; ++i) table.row(cells_of(metrics.communication.collectives[i]));
  const std::string rows = table.text(width);
  TextLines lines;
  lines.left_out(metrics.communication.collectives.size(), kMostTableLines);
  const bool are_some_untimed =
      std::any_of(metrics.communication.collectives.begin(), metrics.communication.collectives.end(),
                  [](const CollectiveMetrics& collective) { return collective.untimed > 0; });
  if (are_some_untimed) {
    lines.line(
        "  count has those without device times, too (of ranks that have none, in CUDA graphs); the other columns do "
        "not");
  }
  const bool has_rates =
      std::any_of(metrics.communication.collectives.begin(), metrics.communication.collectives.end(),
                  [](const CollectiveMetrics& collective) { return collective.busbw_gb_per_s.has_value(); });
  const auto known =
      std::find_if(metrics.communication.collectives.begin(), metrics.communication.collectives.end(),
                   [](const CollectiveMetrics& collective) { return collective.share_of_link().has_value(); });
  const bool has_peaks =
      std::any_of(metrics.communication.collectives.begin(), metrics.communication.collectives.end(),
                  [](const CollectiveMetrics& collective) { return collective.link_peak_gb_per_s.has_value(); });
  if (rows.find(" busbw ") != rows.npos) lines.line("  busbw: in GB/s over the whole span");
  if (rows.find(" transfer ") != rows.npos)
    lines.line("  transfer: in GB/s over the shortest span of all ranks, free of waiting; -: ranks missing");
  if (known != metrics.communication.collectives.end())
    lines.line("  of peak: of the {:.4g} GB/s that a device can send", known->link_peak_gb_per_s.value_or(0));
  if (has_rates && !has_peaks) lines.line("  the peak of the links is not known (--link-gbps)");
  if (std::any_of(metrics.communication.collectives.begin(),
                  metrics.communication.collectives.begin() + static_cast<std::ptrdiff_t>(shown),
                  [](const CollectiveMetrics& collective) { return collective.wait_at_least_ns.value_or(0) > 0; }))
    lines.line("  >=: some cannot be split; what they last beyond the shortest of their size is waiting at least");
  if (const WaitQuality& waits = metrics.communication.waits; waits.by_nccl > 0) {
    lines.line("  NCCL itself reported the waits of {} collective{}", waits.by_nccl, waits.by_nccl == 1 ? "" : "s");
    if (waits.compared_waits > 0)
      lines.line("  by clocks and lengths they would differ by {} on average, by {} at most",
                 duration_text(static_cast<double>(waits.mean_difference())),
                 duration_text(static_cast<double>(waits.most_difference)));
  }
  // Unequal exchanges: the size does not show which rank the others wait for.
  for (size_t i = 0; i < shown; ++i) {
    const CollectiveMetrics& collective = metrics.communication.collectives[i];
    if (collective.heaviest_receiver >= 0)
      lines.line("  {} on {}: rank {} receives most, the heaviest receiver {:.2f} x the mean",
                 name_of(collective.operation), shortened(collective.communicator, 20), collective.heaviest_receiver,
                 *collective.imbalance_received);
  }
  return "\nCOLLECTIVES   (longest exposed first; totals over ranks, skew on average)\n" + rows + lines.take();
}

}  // namespace tauprof
