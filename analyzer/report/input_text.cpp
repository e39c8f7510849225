#include <algorithm>
#include <string>

#include "report/section_lengths.h"
#include "report/text_lines.h"
#include "report/text_sections.h"
#include "report/text_table.h"
#include "report/throughput.h"
#include "report/value_names.h"

namespace tauprof {
namespace {

std::string pattern_text(const RankInput& input) {
  const std::string groups =
      fmt::format("{} or {}", duration_text(input.short_wait_ns), duration_text(input.long_wait_ns));
  switch (input.pattern) {
    case WaitPattern::kNone:
      return "-";
    case WaitPattern::kSteady:
      return "in every step";
    case WaitPattern::kBimodal:
      return groups + ", now and then";
    case WaitPattern::kEveryNth:
      return fmt::format("{}, every {} steps", groups, input.every);
    case WaitPattern::kEpochStart:
      return fmt::format("{}, every {} steps from step 0", groups, input.every);
  }
  return "-";
}

}  // namespace

std::string input_text(const Report& report, size_t width) {
  const DataPipeline& input = report.metrics.input;
  if (report.metrics.steps.selection.analysed.empty() || (input.fetch_wait.max == 0 && input.copy.max == 0)) return {};
  TextLines lines;
  lines.line("\nINPUT   (waiting for a batch on the host, copying it on the device; of a {})", report.unit());
  if (input.batches_per_s_mean)
    lines.line("  batches/s of a rank: min {:.2f} · mean {:.2f} · max {:.2f}", *input.batches_per_s_min,
               *input.batches_per_s_mean, *input.batches_per_s_max);
  if (const auto samples = sample_rate(report)) lines.line("  {:.1f} samples/s of all ranks", samples->per_second);
  TextTable table({{"rank"},
                   {"wait: mean"},
                   {"median", false, 3},
                   {"p95", false, 4},
                   {"copy: mean"},
                   {"median", false, 1},
                   {"p95", false, 2},
                   {"long waits", true, 0, Fit::kWraps}});
  for (size_t i = 0; i < std::min(input.ranks.size(), kMostInputRanks); ++i) {
    const RankInput& rank = input.ranks[i];
    const auto copy = [&](double time) { return rank.copy.count > 0 ? duration_text(time) : "-"; };
    table.row({std::to_string(rank.rank), duration_text(rank.fetch_wait.mean), duration_text(rank.fetch_wait.median),
               duration_text(rank.fetch_wait.p95), copy(rank.copy.mean), copy(rank.copy.median), copy(rank.copy.p95),
               pattern_text(rank)});
  }
  const std::string head = lines.take();
  lines.left_out(input.ranks.size(), kMostInputRanks);
  return head + table.text(width) + lines.take();
}

}  // namespace tauprof
