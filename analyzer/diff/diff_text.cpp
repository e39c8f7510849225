#include "diff/diff_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "diff/diff_values.h"
#include "diff/diff_verdict.h"
#include "report/section_lengths.h"
#include "report/text_lines.h"
#include "report/text_values.h"
#include "report/value_names.h"

namespace tauprof {
namespace {

std::string time_text(Nanoseconds time) { return duration_text(static_cast<double>(time)); }

void side_lines(TextLines& lines, const char* name, const Side& side) {
  for (const RunSummary& run : side.runs) {
    lines.line("  {} {}{}: {}, {} steps worth {:.0f} independent ones, {} warm-up left out; step {}", name, run.path,
               run.id.empty() ? std::string() : " (run " + run.id + ")",
               run.ranks == 1 ? std::string("1 rank") : fmt::format("{} ranks", run.ranks), run.steps,
               std::floor(run.effective_steps), run.warmup, duration_text(run.step_ns));
  }
}

void rate_line(TextLines& lines, const char* what, const std::optional<double>& a, const std::optional<double>& b) {
  if (!a || !b || *b <= 0) return;
  lines.line("  {:.4g} → {:.4g} {}, {}", *b, *a, what, change_text(*a / *b - 1));
}

// With the share of the step's difference that it is, where there is one.
void time_line(TextLines& lines, const std::string& name, const JudgedTime& time, const StepDiff& step) {
  const auto difference = static_cast<double>(time.difference_ns());
  const auto whole = static_cast<double>(step.time.difference_ns());
  lines.line("  {} {:<22} {:>12} {:>12} {:>14} {:>9} {:>8}", time.is_significant ? "*" : " ", name,
             time_text(time.b_ns), time_text(time.a_ns), difference_text(time.difference_ns()),
             step.time.is_significant ? share_text(difference / whole) : "-", probability_text(time.p_adjusted));
}

void table_head(TextLines& lines, const char* what) {
  lines.line("    {:<22} {:>12} {:>12} {:>14} {:>9} {:>8}", what, "B", "A", "difference", "of it", "p");
}

// The largest difference first.
std::vector<NamedTime> by_size(std::vector<NamedTime> rows) {
  std::erase_if(rows, [](const NamedTime& row) { return row.time.a_ns == 0 && row.time.b_ns == 0; });
  std::stable_sort(rows.begin(), rows.end(), [](const NamedTime& x, const NamedTime& y) {
    return std::llabs(x.time.difference_ns()) > std::llabs(y.time.difference_ns());
  });
  return rows;
}

// Where there is nothing to explain, a line says so.
bool is_unremarkable(const std::vector<NamedTime>& parts, const StepDiff& step) {
  return step.outcome == Outcome::kNotShown &&
         std::none_of(parts.begin(), parts.end(), [](const NamedTime& part) { return part.time.is_significant; });
}

std::string parts_text(const char* title, const char* what, const std::vector<NamedTime>& parts, const StepDiff& step) {
  if (parts.empty()) return {};
  TextLines lines;
  lines.line("\n{}", title);
  const std::vector<NamedTime> rows = by_size(parts);
  if (is_unremarkable(rows, step)) {
    lines.line("  none of {} rows differs by more than chance", rows.size());
    return lines.take();
  }
  table_head(lines, what);
  for (const NamedTime& part : rows) time_line(lines, part.name, part.time, step);
  time_line(lines, "step", step.time, step);
  return lines.take();
}

std::string phases_text(const std::vector<PhaseDiff>& phases, Outcome outcome) {
  TextLines lines;
  lines.line("\nPHASES   (host: issuing, device: running; per rank and step; they overlap)");
  const bool differ = std::any_of(phases.begin(), phases.end(), [](const PhaseDiff& phase) {
    return phase.host.is_significant || (phase.device && phase.device->is_significant);
  });
  if (outcome == Outcome::kNotShown && !differ) {
    lines.line("  none of {} differs by more than chance", phases.size());
    return lines.take();
  }
  lines.line("    {:<22} {:>14} {:>8} {:>8}   {:>14} {:>8} {:>8}", "phase", "host", "", "p", "device", "", "p");
  const auto change = [](const JudgedTime& time) {
    const std::optional<double> ratio = time.means.ratio();
    return ratio ? change_text(*ratio) : std::string("-");
  };
  for (const PhaseDiff& phase : phases) {
    if (phase.host.a_ns == 0 && phase.host.b_ns == 0 && (!phase.device || phase.device->a_ns + phase.device->b_ns == 0))
      continue;
    lines.line("  {}{} {:<22} {:>14} {:>8} {:>8}   {:>14} {:>8} {:>8}", phase.host.is_significant ? "*" : " ",
               phase.device && phase.device->is_significant ? "*" : " ", phase.name,
               difference_text(phase.host.difference_ns()), change(phase.host), probability_text(phase.host.p_adjusted),
               phase.device ? difference_text(phase.device->difference_ns()) : "-",
               phase.device ? change(*phase.device) : "-",
               phase.device ? probability_text(phase.device->p_adjusted) : "-");
  }
  return lines.take();
}

// What long tables list: what changed by more than chance or, if too little is there to judge, whatever differs.
const char* what_is_listed(Outcome outcome) {
  return outcome == Outcome::kNotJudged ? "the largest differences; too few steps to tell which are chance"
                                        : "those that changed by more than chance";
}

bool is_listed(const JudgedTime& time, Outcome outcome) {
  return outcome == Outcome::kNotJudged ? time.difference_ns() != 0 : time.is_significant;
}

std::string kernels_text(const Diff& diff) {
  if (diff.kernels.empty()) return {};
  TextLines lines;
  const Outcome outcome = diff.step.outcome;
  lines.line("\nKERNELS   ({}; per rank and step; they run side by side and do not sum to it)",
             what_is_listed(outcome));
  size_t changed = 0;
  for (const KernelDiff& kernel : diff.kernels) {
    if (!is_listed(kernel.time, outcome) || ++changed > kMostTableLines) continue;
    if (changed == 1) lines.line("  {:>14} {:>12} {:>12} {:>19}", "difference", "B", "A", "launches, B → A");
    lines.line("  {:>14} {:>12} {:>12} {:>8.5g} → {:<8.5g} x {:<12} {}", difference_text(kernel.time.difference_ns()),
               time_text(kernel.time.b_ns), time_text(kernel.time.a_ns), kernel.b_count, kernel.a_count,
               name_of(kernel.span_class), shortened(kernel.name, 60));
  }
  if (changed == 0) lines.line("  none of {}", diff.kernels.size());
  lines.left_out(changed, kMostTableLines);
  return lines.take();
}

std::string collective_name(const CollectiveDiff& of) {
  std::string name(name_of(of.operation));
  if (of.datatype != log::DataType::kUnknown) name += fmt::format(" {}", name_of(of.datatype));
  if (of.size_bytes) name += fmt::format(", {} bytes", *of.size_bytes);
  name += fmt::format(", {} ranks", of.ranks);
  return of.communicator.empty() ? name : name + " in " + terminal_text(of.communicator);
}

std::string rate_change(const CollectiveDiff& of) {
  if (!of.a_busbw_gb_per_s || !of.b_busbw_gb_per_s) return "-";
  return fmt::format("{:.2f} → {:.2f}", *of.b_busbw_gb_per_s, *of.a_busbw_gb_per_s);
}

std::string collectives_text(const Diff& diff) {
  if (diff.collectives.empty()) return {};
  TextLines lines;
  const Outcome outcome = diff.step.outcome;
  lines.line("\nCOLLECTIVES   ({}; per rank and step)", what_is_listed(outcome));
  size_t changed = 0;
  for (const CollectiveDiff& of : diff.collectives) {
    if ((!is_listed(of.time, outcome) && !is_listed(of.exposed, outcome)) || ++changed > kMostTableLines) continue;
    if (changed == 1) lines.line("  {:>14} {:>14} {:>18}", "exposed", "running", "bus GB/s");
    lines.line("  {:>14} {:>14} {:>18}  {}", difference_text(of.exposed.difference_ns()),
               difference_text(of.time.difference_ns()), rate_change(of), collective_name(of));
  }
  if (changed == 0) lines.line("  none of {}", diff.collectives.size());
  lines.left_out(changed, kMostTableLines);
  return lines.take();
}

std::string amount_text(const MemoryDiff& of, double value) {
  if (of.name.find("bytes") == of.name.npos) return fmt::format("{:.1f}", value);
  return (value <= -1 ? "-" : "") + size_text(std::llround(std::abs(value)));
}

std::string memory_text(const std::vector<MemoryDiff>& memory) {
  if (memory.empty()) return {};
  TextLines lines;
  lines.line("\nMEMORY   (of the rank that takes most; B → A)");
  for (const MemoryDiff& of : memory)
    lines.line("  {:<22} {:>12} → {:<12} {}", of.name, amount_text(of, of.b), amount_text(of, of.a),
               of.b > 0 ? change_text(of.a / of.b - 1) : std::string());
  return lines.take();
}

std::string values_text(const std::vector<std::string>& values) {
  std::string text;
  for (const std::string& value : values) text += (text.empty() ? "" : " | ") + shortened(value, 60);
  return text.empty() ? "-" : text;
}

std::string settings_text(const std::vector<SettingDiff>& settings) {
  TextLines lines;
  lines.line("\nWHAT ELSE DIFFERS   (B → A)");
  if (settings.empty()) lines.line("  no setting, version or other fact that was recorded");
  for (const SettingDiff& of : settings)
    lines.line("  {:<36} {} → {}", of.group == "settings" ? of.name : of.group + "." + of.name, values_text(of.b),
               values_text(of.a));
  return lines.take();
}

std::string notes_text(const std::vector<std::string>& notes) {
  if (notes.empty()) return {};
  TextLines lines;
  lines.line("");
  for (const std::string& note : notes) lines.line("  note: {}", note);
  return lines.take();
}

}  // namespace

std::string diff_text(const Diff& diff) {
  TextLines head;
  head.line("{}", verdict_text(diff));
  rate_line(head, "steps/s", diff.a.throughput.steps_per_s, diff.b.throughput.steps_per_s);
  rate_line(head, "samples/s", diff.a.throughput.samples_per_s, diff.b.throughput.samples_per_s);
  rate_line(head, "tokens/s", diff.a.throughput.tokens_per_s, diff.b.throughput.tokens_per_s);
  side_lines(head, "A", diff.a);
  side_lines(head, "B", diff.b);
  std::string text = head.take() + notes_text(diff.notes);
  text += parts_text(
      "WHERE THE DIFFERENCE IS   (per rank and step; the rows sum to it; *: more than chance, p "
      "adjusted for the number of rows)",
      "row", diff.rows, diff.step);
  text += parts_text("BY PHASE   (the same time; the rows sum to it)", "phase", diff.phase_parts, diff.step);
  text += phases_text(diff.phases, diff.step.outcome);
  text += kernels_text(diff);
  text += collectives_text(diff);
  text += memory_text(diff.memory);
  text += settings_text(diff.settings);
  return terminal_lines(text);
}

}  // namespace tauprof
