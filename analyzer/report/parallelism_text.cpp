#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/rank_words.h"
#include "report/section_lengths.h"
#include "report/text_lines.h"
#include "report/text_sections.h"
#include "report/text_table.h"
#include "report/text_values.h"
#include "report/value_names.h"

namespace tauprof {
namespace {

void sharding_lines(TextLines& lines, const ShardingBalance& balance) {
  lines.line("  gathers of weights take {}, {:.0f} % of the time of computing, which can hide them",
             duration_text(balance.gather_ns), 100 * balance.gathers_over_compute());
  if (!balance.kept_bytes) return;
  const std::string fits =
      balance.would_fit() ? fmt::format(", {:.0f} % of the fullest device with it{}",
                                        100 * *balance.kept_share_of_device, *balance.would_fit() ? "" : ": too much")
                          : std::string();
  lines.line(
      "  kept between the passes (reshard_after_forward=False, ZeRO-2), they take {} more{}; gathers of {} in the "
      "backward pass, {} of it exposed, would be gone",
      size_text(*balance.kept_bytes), fits, duration_text(balance.gone_ns), duration_text(balance.gone_exposed_ns));
}

}  // namespace

std::string parallelism_text(const RunMetrics& metrics, size_t width) {
  const std::vector<ParallelGroups>& table = metrics.communication.parallelism;
  if (table.empty()) return {};
  TextTable kinds({{"", true},
                   {"groups", true},
                   {"calls", false, 2},
                   {"bytes"},
                   {"time"},
                   {"wait", false, 3},
                   {"exposed"},
                   {"of step"},
                   {"by", true, 1}});
  for (size_t i = 0; i < std::min(table.size(), kMostTableLines); ++i) {
    const ParallelGroups& group = table[i];
    kinds.row({kind_words(group), group_words(group), fmt::format("{:.1f}", group.calls),
               group.bytes > 0 ? size_text(std::llround(group.bytes)) : "-", duration_text(group.span_ns),
               duration_text(group.wait_ns), duration_text(group.exposed_ns), percent_text(group.share_of_step),
               group.is_by_name ? "its name" : "traffic"});
  }
  TextLines lines;
  lines.left_out(table.size(), kMostTableLines);
  for (const ShardingBalance& balance : metrics.communication.sharding) sharding_lines(lines, balance);
  return "\nPARALLELISM   (what communicators are for; per rank and step)\n" + kinds.text(width) + lines.take();
}

}  // namespace tauprof
