#include "report/step_text.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include "report/text_lines.h"
#include "report/throughput.h"
#include "report/value_names.h"

namespace tauprof {
namespace {

// In the order of a training loop. A derived row comes after the rows that it sums up.
constexpr std::array<std::string_view, 11> kRowOrder = {
    "dataload_wait",   "h2d",           "forward",     "backward", "unscale_clip", "optim_step",
    "zero_grad_sched", "backward_step", "sync_gather", "other",    "total"};

// Of the host's time: what the columns between its mean and its median say.
std::string parts_text(const PhaseMetrics& phase) {
  return fmt::format(" {:>12} {:>12}", duration_text(phase.issuing.mean), duration_text(phase.blocked.mean));
}

void phase_table(TextLines& lines, const std::vector<PhaseMetrics>& phases, const char* title,
                 Statistics PhaseMetrics::*of, Statistics PhaseMetrics::*of_ranks,
                 std::optional<double> PhaseMetrics::*share, bool has_parts, bool has_ranks) {
  lines.line("  {:<18} {:>12}{} {:>12} {:>12} {:>7}{}", title, "mean",
             has_parts ? fmt::format(" {:>12} {:>12}", "issuing", "blocked") : "", "median", "p95", "share",
             has_ranks ? "   spread over ranks" : "");
  for (const std::string_view name : kRowOrder) {
    const auto row = std::find_if(phases.begin(), phases.end(), [&](const PhaseMetrics& p) { return p.name == name; });
    const Statistics& time = (*row).*of;
    if (time.count == 0 || (name != "total" && time.max == 0)) continue;
    const Statistics& ranks = (*row).*of_ranks;
    lines.line("  {:<18} {:>12}{} {:>12} {:>12} {:>6.1f}%{}", name, duration_text(time.mean),
               has_parts ? parts_text(*row) : "", duration_text(time.median), duration_text(time.p95),
               100 * ((*row).*share).value_or(0),
               has_ranks ? fmt::format("   {:>12} to {}", duration_text(ranks.min), duration_text(ranks.max)) : "");
  }
}

std::string durations_text(const Statistics& of) {
  return fmt::format("mean {}   median {}   p95 {}   min {}   max {}", duration_text(of.mean), duration_text(of.median),
                     duration_text(of.p95), duration_text(of.min), duration_text(of.max));
}

}  // namespace

std::string steps_text(const Report& report) {
  const RunMetrics& metrics = report.metrics;
  TextLines lines;
  const RunFacts& facts = report.facts;
  lines.line("\n{}", facts.is_by_time() ? "SLICES OF TIME   (no steps are known)" : "STEPS");
  if (metrics.steps.analysed.empty()) {
    if (metrics.steps_in_gaps > 0)
      lines.line("  none: of all {}, device times are missing in part", metrics.steps_in_gaps);
    else if (metrics.unwanted_steps > 0)
      lines.line("  none: {} were found, and TAUPROF_START_STEP and TAUPROF_STEPS want none of them",
                 metrics.unwanted_steps);
    else
      lines.line("  none: no device work was launched inside a {}", report.unit());
    return lines.take();
  }
  if (facts.is_by_time())
    lines.line("  {} of {} on the host", metrics.steps.analysed.size(), duration_text(kSliceLength));
  else
    lines.line("  {} analysed, {} warm-up left out; found by {}, confidence {:.2f}", metrics.steps.analysed.size(),
               metrics.steps.warmup, terminal_text(facts.steps_source), facts.steps_confidence);
  if (metrics.steps_in_gaps > 0)
    lines.line("  {} {}s of a rank are left out: device times are missing in part", metrics.steps_in_gaps,
               report.unit());
  if (facts.steps_confidence < 1) lines.line("  {}", terminal_text(facts.steps_reason));
  if (const Statistics& of = metrics.step_duration; of.count > 0)
    lines.line("  {}{}", durations_text(of),
               facts.is_by_time() ? std::string() : fmt::format("   {:.3f} steps/s", 1e9 / of.mean));
  else
    lines.line("  on the host: {}", durations_text(metrics.host_duration));
  if (const auto samples = sample_rate(report))
    lines.line("  {:.1f} samples/s{}", samples->per_second, samples->is_asked ? ", by the loader's batch size" : "");
  if (const auto tokens = tokens_per_second(report)) lines.line("  {:.1f} tokens/s", *tokens);
  return lines.take();
}

std::string phases_text(const Report& report) {
  if (report.metrics.steps.analysed.empty()) return {};
  TextLines lines;
  const size_t ranks = report.metrics.ranks.size();
  lines.line("\nPHASES   (of a {}, {})", report.unit(),
             ranks == 1 ? fmt::format("rank {}", report.metrics.ranks.front().rank) : fmt::format("{} ranks", ranks));
  const auto& phases = report.metrics.phases;
  const bool is_blocked =
      std::any_of(phases.begin(), phases.end(), [](const PhaseMetrics& phase) { return phase.blocked.max > 0; });
  phase_table(lines, phases, is_blocked ? "host" : "host (issuing)", &PhaseMetrics::host, &PhaseMetrics::host_of_ranks,
              &PhaseMetrics::host_share, is_blocked, ranks > 1);
  if (is_blocked) lines.line("  blocked: in calls that return when the device has done its work");
  if (report.metrics.windows == 0) return lines.take();
  lines.line("");
  phase_table(lines, phases, "device (running)", &PhaseMetrics::device, &PhaseMetrics::device_of_ranks,
              &PhaseMetrics::device_share, false, ranks > 1);
  return lines.take();
}

}  // namespace tauprof
