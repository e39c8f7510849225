#include "report/parallelism_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/section_lengths.h"
#include "report/text_lines.h"
#include "report/text_table.h"
#include "report/text_values.h"
#include "report/value_names.h"

namespace tauprof {
namespace {

std::string kind_text(const ParallelGroups& of) {
  const std::string name(kParallelismNames[static_cast<size_t>(of.kind)]);
  if (of.has_sequences) return name + " + sequence";
  switch (of.sharding) {
    case Sharding::kWeightsEachPass:
      return "sharded (ZeRO-3)";
    case Sharding::kWeightsOnce:
      return "sharded (ZeRO-2)";
    case Sharding::kOptimizer:
      return "sharded optimizer";
    default:
      return name;
  }
}

std::string groups_text(const ParallelGroups& of) {
  return of.groups == 1 ? fmt::format("{} ranks", of.size) : fmt::format("{} x {} ranks", of.groups, of.size);
}

void sharding_lines(TextLines& lines, const ShardingBalance& of) {
  lines.line("  gathers of weights take {}, {:.0f} % of the time of computing, which can hide them",
             duration_text(of.gather_ns), 100 * of.gathers_over_compute());
  if (!of.kept_bytes) return;
  const std::string fits = of.would_fit()
                               ? fmt::format(", {:.0f} % of the fullest device with it{}",
                                             100 * *of.kept_share_of_device, *of.would_fit() ? "" : ": too much")
                               : std::string();
  lines.line(
      "  kept between the passes (reshard_after_forward=False, ZeRO-2), they take {} more{}; gathers of {} in the "
      "backward pass, {} of it exposed, would be gone",
      size_text(*of.kept_bytes), fits, duration_text(of.gone_ns), duration_text(of.gone_exposed_ns));
}

}  // namespace

std::string parallelism_text(const RunMetrics& metrics, size_t width) {
  const std::vector<ParallelGroups>& table = metrics.parallelism;
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
    const ParallelGroups& of = table[i];
    kinds.row({kind_text(of), groups_text(of), fmt::format("{:.1f}", of.calls),
               of.bytes > 0 ? size_text(std::llround(of.bytes)) : "-", duration_text(of.span_ns),
               duration_text(of.wait_ns), duration_text(of.exposed_ns), percent_text(of.share_of_step),
               of.is_by_name ? "its name" : "traffic"});
  }
  TextLines lines;
  lines.left_out(table.size(), kMostTableLines);
  for (const ShardingBalance& of : metrics.sharding) sharding_lines(lines, of);
  return "\nPARALLELISM   (what communicators are for; per rank and step)\n" + kinds.text(width) + lines.take();
}

}  // namespace tauprof
