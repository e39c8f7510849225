#include "report/step_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

#include "report/section_lengths.h"
#include "report/value_names.h"

namespace tauprof {
namespace {

// In the order of a training loop. A derived row comes after the rows that it sums up.
constexpr std::array<std::string_view, 11> kRowOrder = {
    "dataload_wait",   "h2d",           "forward",     "backward", "unscale_clip", "optim_step",
    "zero_grad_sched", "backward_step", "sync_gather", "other",    "total"};

class Lines {
 public:
  template <class... Values>
  void line(fmt::format_string<Values...> format, Values&&... values) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Values>(values)...);
    text_ += '\n';
  }
  std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

bool is_optional(std::string_view name) { return name == "h2d" || name == "other"; }

void phase_table(Lines& lines, const std::vector<PhaseMetrics>& phases, const char* title, Statistics PhaseMetrics::*of,
                 Statistics PhaseMetrics::*of_ranks, double PhaseMetrics::*share, bool has_ranks) {
  lines.line("  {:<18} {:>12} {:>12} {:>12} {:>7}{}", title, "mean", "median", "p95", "share",
             has_ranks ? "   spread over ranks" : "");
  for (const std::string_view name : kRowOrder) {
    const auto row = std::find_if(phases.begin(), phases.end(), [&](const PhaseMetrics& p) { return p.name == name; });
    const Statistics& time = (*row).*of;
    if (is_optional(name) && time.max == 0) continue;
    const Statistics& ranks = (*row).*of_ranks;
    lines.line("  {:<18} {:>12} {:>12} {:>12} {:>6.1f}%{}", name, duration_text(time.mean), duration_text(time.median),
               duration_text(time.p95), 100 * (*row).*share,
               has_ranks ? fmt::format("   {:>12} to {}", duration_text(ranks.min), duration_text(ranks.max)) : "");
  }
}

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

std::string steps_text(const Report& report) {
  const Statistics& of = report.metrics.step_duration;
  Lines lines;
  const RunFacts& facts = report.facts;
  lines.line("\n{}", facts.is_by_time() ? "SLICES OF TIME   (no steps are known)" : "STEPS");
  if (of.count == 0) {
    lines.line("  none: no device work was launched inside a {}", report.unit());
    return lines.take();
  }
  if (facts.is_by_time())
    lines.line("  {} of {} on the host", report.metrics.steps.analysed.size(), duration_text(kSliceLength));
  else
    lines.line("  {} analysed, {} warm-up left out; found by {}, confidence {:.2f}",
               report.metrics.steps.analysed.size(), report.metrics.steps.warmup, valid_utf8(facts.steps_source),
               facts.steps_confidence);
  if (facts.steps_confidence < 1) lines.line("  {}", valid_utf8(facts.steps_reason));
  lines.line("  mean {}   median {}   p95 {}   min {}   max {}{}", duration_text(of.mean), duration_text(of.median),
             duration_text(of.p95), duration_text(of.min), duration_text(of.max),
             facts.is_by_time() ? std::string() : fmt::format("   {:.3f} steps/s", 1e9 / of.mean));
  if (const auto samples = report.per_second(report.batch)) lines.line("  {:.1f} samples/s", *samples);
  if (const auto tokens = report.per_second(report.tokens)) lines.line("  {:.1f} tokens/s", *tokens);
  return lines.take();
}

std::string phases_text(const Report& report) {
  Lines lines;
  const size_t ranks = report.metrics.ranks.size();
  lines.line("\nPHASES   (of a {}, {})", report.unit(),
             ranks == 1 ? fmt::format("rank {}", report.metrics.ranks.front().rank) : fmt::format("{} ranks", ranks));
  const auto& phases = report.metrics.phases;
  phase_table(lines, phases, "host (issuing)", &PhaseMetrics::host, &PhaseMetrics::host_of_ranks,
              &PhaseMetrics::host_share, ranks > 1);
  lines.line("");
  phase_table(lines, phases, "device (running)", &PhaseMetrics::device, &PhaseMetrics::device_of_ranks,
              &PhaseMetrics::device_share, ranks > 1);
  return lines.take();
}

std::string input_text(const Report& report) {
  const DataPipeline& input = report.metrics.input;
  if (input.fetch_wait.max == 0 && input.copy.max == 0) return {};
  Lines lines;
  lines.line("\nINPUT   (waiting for a batch on the host, copying it on the device; of a {})", report.unit());
  if (input.batches_per_s_mean)
    lines.line("  batches/s of a rank: min {:.2f}   mean {:.2f}   max {:.2f}", *input.batches_per_s_min,
               *input.batches_per_s_mean, *input.batches_per_s_max);
  if (const auto samples = report.per_second(report.batch)) lines.line("  {:.1f} samples/s of all ranks", *samples);
  lines.line("  {:>5} {:>12} {:>12} {:>12} {:>12} {:>12} {:>12}  {}", "rank", "wait: mean", "median", "p95",
             "copy: mean", "median", "p95", "long waits");
  for (size_t i = 0; i < std::min(input.ranks.size(), kMostInputRanks); ++i) {
    const RankInput& rank = input.ranks[i];
    lines.line("  {:>5} {:>12} {:>12} {:>12} {:>12} {:>12} {:>12}  {}", rank.rank, duration_text(rank.fetch_wait.mean),
               duration_text(rank.fetch_wait.median), duration_text(rank.fetch_wait.p95), duration_text(rank.copy.mean),
               duration_text(rank.copy.median), duration_text(rank.copy.p95), pattern_text(rank));
  }
  if (input.ranks.size() > kMostInputRanks)
    lines.line("  ... {} more in the JSON report", input.ranks.size() - kMostInputRanks);
  return lines.take();
}

}  // namespace tauprof
