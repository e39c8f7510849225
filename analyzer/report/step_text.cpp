#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include "report/text_lines.h"
#include "report/text_sections.h"
#include "report/text_table.h"
#include "report/text_values.h"
#include "report/throughput.h"
#include "report/value_names.h"

namespace tauprof {
namespace {

// In the order of a training loop. A derived row comes after the rows that it sums up.
constexpr std::array<std::string_view, 11> kRowOrder = {
    "dataload_wait",   "h2d",           "forward",     "backward", "unscale_clip", "optim_step",
    "zero_grad_sched", "backward_step", "sync_gather", "other",    "total"};

struct PhaseTimes {
  const char* title;
  Statistics PhaseMetrics::*of;
  Statistics PhaseMetrics::*of_ranks;
  std::optional<double> PhaseMetrics::*share;
  bool has_parts;  // issuing and blocked
};

std::string phase_table(const RunMetrics& metrics, const PhaseTimes& times, size_t width) {
  TextTable table({{times.title, true},
                   {"mean"},
                   {"issuing", false, 1},  // the mean without what is blocked
                   {"blocked"},
                   {"median", false, 2},
                   {"p95", false, 3},
                   {"share"},
                   {"ranks: min", false, 4},
                   {"max", false, 4}});
  for (const std::string_view name : kRowOrder) {
    const auto row = std::find_if(metrics.time.phases.begin(), metrics.time.phases.end(),
                                  [&](const PhaseMetrics& phase) { return phase.name == name; });
    const Statistics &time = (*row).*times.of, &ranks = (*row).*times.of_ranks;
    if (time.count == 0 || (name != "total" && time.max == 0)) continue;
    const auto part = [&](const Statistics& statistics) {
      return times.has_parts ? duration_text(statistics.mean) : "-";
    };
    const auto of_ranks = [&](double value) { return metrics.ranks.size() > 1 ? duration_text(value) : "-"; };
    table.row({std::string(name), duration_text(time.mean), part(row->issuing), part(row->blocked),
               duration_text(time.median), duration_text(time.p95), percent_text(((*row).*times.share).value_or(0)),
               of_ranks(ranks.min), of_ranks(ranks.max)});
  }
  return table.text(width);
}

std::string durations_text(const Statistics& statistics) {
  return fmt::format("mean {} · median {} · p95 {} · min {} · max {}", duration_text(statistics.mean),
                     duration_text(statistics.median), duration_text(statistics.p95), duration_text(statistics.min),
                     duration_text(statistics.max));
}

}  // namespace

std::string steps_text(const Report& report) {
  const RunMetrics& metrics = report.metrics;
  TextLines lines;
  const RunFacts& facts = report.facts;
  lines.line("\n{}", facts.is_by_time() ? "SLICES OF TIME   (no steps are known)" : "STEPS");
  if (metrics.steps.selection.analysed.empty()) {
    if (metrics.steps.steps_in_gaps > 0)
      lines.line("  none: of all {}, device times are missing in part", metrics.steps.steps_in_gaps);
    else if (metrics.steps.unwanted_steps > 0)
      lines.line("  none: {} were found, and TAUPROF_START_STEP and TAUPROF_STEPS want none of them",
                 metrics.steps.unwanted_steps);
    else
      lines.line("  none: no device work was launched inside a {}", report.unit());
    return lines.take();
  }
  if (facts.is_by_time())
    lines.line("  {} of {} on the host", metrics.steps.selection.analysed.size(), duration_text(kSliceLength));
  else
    lines.line("  {} analysed, {} warm-up left out; found by {}, confidence {:.2f}",
               metrics.steps.selection.analysed.size(), metrics.steps.selection.warmup,
               terminal_text(facts.steps_source), facts.steps_confidence);
  if (metrics.steps.steps_in_gaps > 0)
    lines.line("  {} {}s of a rank are left out: device times are missing in part", metrics.steps.steps_in_gaps,
               report.unit());
  if (const OutsideSteps& outside = metrics.steps.outside_steps; outside.share() > kNotableOutside) {
    const auto of_rank = [&](Nanoseconds time) {
      return duration_text(static_cast<double>(time) / static_cast<double>(metrics.ranks.size()));
    };
    lines.line("  {} of what was recorded lies in no step: {} before the first, {} between steps, {} after the last",
               percent_text(outside.share()), of_rank(outside.before), of_rank(outside.between),
               of_rank(outside.after));
  }
  if (facts.steps_confidence < 1) lines.line("  {}", terminal_text(facts.steps_reason));
  if (const Statistics& statistics = metrics.steps.step_duration; statistics.count > 0)
    lines.line("  {}{}", durations_text(statistics),
               facts.is_by_time() ? std::string() : fmt::format(" · {:.4g} steps/s", 1e9 / statistics.mean));
  else
    lines.line("  on the host: {}", durations_text(metrics.steps.host_duration));
  if (const auto samples = sample_rate(report))
    lines.line("  {:.1f} samples/s{}", samples->per_second, samples->is_asked ? ", by the loader's batch size" : "");
  if (const auto tokens = token_rate(report))
    lines.line("  {:.1f} tokens/s{}", tokens->per_second, tokens->is_asked ? ", by what the model is called with" : "");
  return lines.take();
}

std::string phases_text(const Report& report, size_t width) {
  const RunMetrics& metrics = report.metrics;
  if (metrics.steps.selection.analysed.empty()) return {};
  const size_t ranks = metrics.ranks.size();
  std::string text =
      fmt::format("\nPHASES   (of a {}, {})\n", report.unit(),
                  ranks == 1 ? fmt::format("rank {}", metrics.ranks.front().rank) : fmt::format("{} ranks", ranks));
  const bool is_blocked = std::any_of(metrics.time.phases.begin(), metrics.time.phases.end(),
                                      [](const PhaseMetrics& phase) { return phase.blocked.max > 0; });
  text += phase_table(metrics,
                      {is_blocked ? "host" : "host (issuing)", &PhaseMetrics::host, &PhaseMetrics::host_of_ranks,
                       &PhaseMetrics::host_share, is_blocked},
                      width);
  if (is_blocked) text += "  blocked: in calls that return when the device has done its work; the rest is issuing\n";
  if (metrics.time.windows == 0) return text;
  return text + "\n" +
         phase_table(metrics,
                     {"device (running)", &PhaseMetrics::device, &PhaseMetrics::device_of_ranks,
                      &PhaseMetrics::device_share, false},
                     width);
}

}  // namespace tauprof
