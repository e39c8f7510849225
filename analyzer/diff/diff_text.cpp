
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "diff/diff_forms.h"
#include "diff/diff_values.h"
#include "report/distinct_names.h"
#include "report/rank_words.h"
#include "report/section_lengths.h"
#include "report/sections.h"
#include "report/text_lines.h"
#include "report/text_table.h"
#include "report/text_values.h"
#include "report/value_names.h"
#include "report/wrapped_text.h"

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
std::vector<std::string> cells_of(const std::string& name, const JudgedTime& time, const StepDiff& step) {
  const auto difference = static_cast<double>(time.difference_ns());
  const auto whole = static_cast<double>(step.time.difference_ns());
  return {time.is_significant ? "*" : "",
          name,
          time_text(time.b_ns),
          time_text(time.a_ns),
          difference_text(time.difference_ns()),
          step.time.is_significant ? part_text(difference / whole) : "-",
          probability_text(time.p_adjusted)};
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

constexpr size_t kAllRows = SIZE_MAX;

std::string parts_text(const std::string& title, const char* what, const std::vector<NamedTime>& parts,
                       const StepDiff& step, size_t most, size_t width) {
  if (parts.empty()) return {};
  const std::vector<NamedTime> rows = by_size(parts);
  if (is_unremarkable(rows, step))
    return fmt::format("\n{}\n  none of {} rows differs by more than chance\n", title, rows.size());
  TextTable table({{"", true}, {what, true}, {"B"}, {"A"}, {"difference"}, {"of it"}, {"p"}});
  for (size_t i = 0; i < std::min(most, rows.size()); ++i) table.row(cells_of(rows[i].name, rows[i].time, step));
  table.row(cells_of("step", step.time, step));
  return "\n" + title + "\n" + table.text(width);
}

std::string ledger_text(const Diff& diff, size_t width) {
  return parts_text(
             "WHERE THE DIFFERENCE IS   (per rank and step; the rows sum to it; *: more than chance, p "
             "adjusted for the number of rows)",
             "row", diff.rows, diff.step, kAllRows, width) +
         parts_text("BY PHASE   (the same time; the rows sum to it)", "phase", diff.phase_parts, diff.step, kAllRows,
                    width);
}

std::string row_change(const RankDiff& rank) {
  if (!rank.row) return "-";
  const NamedTime& row = rank.rows[*rank.row];
  return fmt::format("{} {} → {}", row.name, time_text(row.time.b_ns), time_text(row.time.a_ns));
}

std::string ranks_text(const Diff& diff, size_t width) {
  const std::string title = "\nRANKS   (what each makes of the step: its own time, and what others waited for it)\n";
  if (diff.ranks.ranks.empty()) return title + "  not compared: " + diff.ranks.unknown_because + "\n";
  std::vector<const RankDiff*> ranks;
  for (const RankDiff& rank : diff.ranks.ranks) ranks.push_back(&rank);
  std::stable_sort(ranks.begin(), ranks.end(), [](const RankDiff* a, const RankDiff* b) {
    return std::llabs(a->time.difference_ns()) > std::llabs(b->time.difference_ns());
  });
  TextTable table({{"", true},
                   {"rank", true},
                   {"B"},
                   {"A"},
                   {"difference"},
                   {"of it"},
                   {"p"},
                   {"its own row", true, 0, Fit::kWraps}});
  const auto add = [&](const std::string& name, const JudgedTime& time, const std::string& row) {
    std::vector<std::string> cells = cells_of(name, time, diff.step);
    cells.push_back(row);
    table.row(std::move(cells));
  };
  for (size_t i = 0; i < std::min(ranks.size(), kMostTableLines); ++i)
    add(fmt::format("{}", ranks[i]->rank), ranks[i]->time,
        ranks[i]->time.is_significant ? row_change(*ranks[i]) : std::string());
  add("nobody", diff.ranks.nobody, "");
  add("step", diff.step.time, "");
  TextLines lines;
  lines.left_out(ranks.size(), kMostTableLines);
  return title + table.text(width) + lines.take();
}

std::string phases_text(const Diff& diff, size_t width) {
  const std::vector<PhaseDiff>& phases = diff.phases;
  const Outcome outcome = diff.step.outcome;
  const std::string title = "\nPHASES   (host: issuing, device: running; per rank and step; they overlap)\n";
  const bool differ = std::any_of(phases.begin(), phases.end(), [](const PhaseDiff& phase) {
    return phase.host.is_significant || (phase.device && phase.device->is_significant);
  });
  if (outcome == Outcome::kNotShown && !differ)
    return title + fmt::format("  none of {} differs by more than chance\n", phases.size());
  TextTable table({{"", true}, {"phase", true}, {"host"}, {"", false, 1}, {"p"}, {"device"}, {"", false, 1}, {"p"}});
  const auto change = [](const JudgedTime& time) {
    const std::optional<double> ratio = time.means.ratio();
    return ratio ? change_text(*ratio) : std::string("-");
  };
  const auto marks = [](const PhaseDiff& of) -> std::string {
    const bool is_device = of.device && of.device->is_significant;
    return of.host.is_significant ? (is_device ? "**" : "*") : (is_device ? " *" : "");
  };
  for (const PhaseDiff& phase : phases) {
    if (phase.host.a_ns == 0 && phase.host.b_ns == 0 && (!phase.device || phase.device->a_ns + phase.device->b_ns == 0))
      continue;
    std::vector<std::string> cells = {marks(phase), phase.name, difference_text(phase.host.difference_ns()),
                                      change(phase.host), probability_text(phase.host.p_adjusted)};
    if (phase.device)
      cells.insert(cells.end(), {difference_text(phase.device->difference_ns()), change(*phase.device),
                                 probability_text(phase.device->p_adjusted)});
    else
      cells.insert(cells.end(), {"-", "-", "-"});
    table.row(std::move(cells));
  }
  return title + table.text(width);
}

// Describes the rows of long tables: those that changed by more than chance or, with too few steps to judge, all that
// differ.
const char* what_is_listed(Outcome outcome) {
  return outcome == Outcome::kNotJudged ? "the largest differences; too few steps to tell which are chance"
                                        : "those that changed by more than chance";
}

bool is_listed(const JudgedTime& time, Outcome outcome) {
  return outcome == Outcome::kNotJudged ? time.difference_ns() != 0 : time.is_significant;
}

std::string listed(const TextTable& table, size_t changed, size_t all, size_t width) {
  TextLines lines;
  if (changed == 0) lines.line("  none of {}", all);
  lines.left_out(changed, kMostTableLines);
  return (table.is_empty() ? "" : table.text(width)) + lines.take();
}

std::string kernels_text(const Diff& diff, size_t width) {
  if (diff.kernels.empty()) return {};
  const Outcome outcome = diff.step.outcome;
  std::vector<const KernelDiff*> changed;
  for (const KernelDiff& kernel : diff.kernels)
    if (is_listed(kernel.time, outcome)) changed.push_back(&kernel);
  std::vector<std::string> names;
  for (const KernelDiff* kernel : changed) names.push_back(kernel->name);
  names = bare_names(names);
  TextTable table(
      {{"difference"}, {"B"}, {"A"}, {"launches", true}, {"class", true, 1}, {"kernel", true, 0, Fit::kName}});
  for (size_t i = 0; i < std::min(changed.size(), kMostTableLines); ++i) {
    const KernelDiff& kernel = *changed[i];
    table.row({difference_text(kernel.time.difference_ns()), time_text(kernel.time.b_ns), time_text(kernel.time.a_ns),
               fmt::format("{:.5g} → {:.5g}", kernel.b_count, kernel.a_count), std::string(name_of(kernel.span_class)),
               names[i]});
  }
  return fmt::format("\nKERNELS   ({}; per rank and step; they run side by side and do not sum to it)\n",
                     what_is_listed(outcome)) +
         listed(table, changed.size(), diff.kernels.size(), width);
}

std::string collective_name(const CollectiveDiff& collective) {
  std::string name(name_of(collective.operation));
  if (collective.datatype != log::DataType::kUnknown) name += fmt::format(" {}", name_of(collective.datatype));
  if (collective.size_bytes) name += fmt::format(", {} bytes", *collective.size_bytes);
  name += fmt::format(", {} ranks", collective.ranks);
  return collective.communicator.empty() ? name : name + " in " + terminal_text(collective.communicator);
}

std::string rate_change(const CollectiveDiff& collective) {
  if (!collective.a_busbw_gb_per_s || !collective.b_busbw_gb_per_s) return "-";
  return fmt::format("{:.2f} → {:.2f}", *collective.b_busbw_gb_per_s, *collective.a_busbw_gb_per_s);
}

std::string collectives_text(const Diff& diff, size_t width) {
  if (diff.collectives.empty()) return {};
  const Outcome outcome = diff.step.outcome;
  TextTable table({{"exposed"}, {"running"}, {"bus GB/s"}, {"collective", true, 0, Fit::kWraps}});
  size_t changed = 0;
  for (const CollectiveDiff& collective : diff.collectives) {
    if ((!is_listed(collective.time, outcome) && !is_listed(collective.exposed, outcome)) ||
        ++changed > kMostTableLines)
      continue;
    table.row({difference_text(collective.exposed.difference_ns()), difference_text(collective.time.difference_ns()),
               rate_change(collective), collective_name(collective)});
  }
  return fmt::format("\nCOLLECTIVES   ({}; per rank and step)\n", what_is_listed(outcome)) +
         listed(table, changed, diff.collectives.size(), width);
}

std::string amount_text(const MemoryDiff& memory, double value) {
  if (memory.name.find("bytes") == memory.name.npos) return fmt::format("{:.1f}", value);
  return (value <= -1 ? "-" : "") + size_text(std::llround(std::abs(value)));
}

std::string memory_text(const Diff& diff, size_t width) {
  const std::vector<MemoryDiff>& memory = diff.memory;
  if (memory.empty()) return {};
  TextTable table({{"", true}, {"B"}, {"A"}, {""}});
  for (const MemoryDiff& one : memory)
    table.row(
        {one.name, amount_text(one, one.b), amount_text(one, one.a), one.b > 0 ? change_text(one.a / one.b - 1) : ""});
  return "\nMEMORY   (of the rank that takes most)\n" + table.text(width);
}

std::string values_text(const std::vector<std::string>& values) {
  std::string text;
  for (const std::string& value : values) text += (text.empty() ? "" : " | ") + shortened(value, 60);
  return text.empty() ? "-" : text;
}

std::string settings_text(const Diff& diff, size_t width) {
  const std::vector<SettingDiff>& settings = diff.settings;
  TextTable table({{"", true, 0, Fit::kName}, {"", true, 0, Fit::kWraps}});
  for (const SettingDiff& setting : settings)
    table.row({setting.group == "settings" ? setting.name : setting.group + "." + setting.name,
               values_text(setting.b) + " → " + values_text(setting.a)});
  return "\nWHAT ELSE DIFFERS   (B → A)\n" +
         (table.is_empty() ? "  no setting, version or other fact that was recorded\n" : table.text(width));
}

std::string notes_text(const std::vector<std::string>& notes) {
  if (notes.empty()) return {};
  TextLines lines;
  lines.line("");
  for (const std::string& note : notes) lines.line("  note: {}", note);
  return lines.take();
}

struct DiffSection {
  std::string_view name;
  std::string (*text)(const Diff& diff, size_t width);
};

constexpr std::array kSections{DiffSection{"ranks", ranks_text},      DiffSection{"ledger", ledger_text},
                               DiffSection{"phases", phases_text},    DiffSection{"kernels", kernels_text},
                               DiffSection{"comm", collectives_text}, DiffSection{"memory", memory_text},
                               DiffSection{"settings", settings_text}};

// "93 %"; more than that of a difference that others make up for in part is all of it.
std::string explained_text(double share) {
  return share >= 0.995 ? std::string("all") : fmt::format("{:.0f} %", 100 * share);
}

// "rank 2 explains 93 % of it: compute 10.12 → 12.14 ms a step, slow_compute"
void rank_lines(TextLines& lines, const Diff& diff) {
  std::vector<const RankDiff*> named;
  std::vector<int32_t> numbers;
  for (const RankDiff& rank : diff.ranks.ranks)
    if (rank.is_named) named.push_back(&rank), numbers.push_back(rank.rank);
  if (named.empty()) {
    const bool is_judged = diff.step.outcome == Outcome::kSlower || diff.step.outcome == Outcome::kFaster;
    if (is_judged && diff.ranks.ranks.size() > 1) lines.line("  no single rank explains it (--show ranks)");
    return;
  }
  std::stable_sort(named.begin(), named.end(), [](const RankDiff* a, const RankDiff* b) {
    return std::llabs(a->time.difference_ns()) > std::llabs(b->time.difference_ns());
  });
  const auto whole = static_cast<double>(diff.step.time.difference_ns());
  const auto share_of = [&](const RankDiff& rank) {
    return explained_text(static_cast<double>(rank.time.difference_ns()) / whole);
  };
  const char* const was = diff.step.outcome == Outcome::kFaster ? "was " : "";
  const auto what = [&](const RankDiff& rank) {
    std::string text = rank.row ? row_change(rank) + " a step" : std::string();
    if (rank.cause != Cause::kUnknown)
      text += fmt::format("{}{}{}", text.empty() ? "" : ", ", was, kCauseNames[static_cast<size_t>(rank.cause)]);
    return text.empty() ? std::string("others waited for it") : text;
  };
  if (named.size() == 1) {
    lines.line("  rank {} explains {} of it: {}", named.front()->rank, share_of(*named.front()), what(*named.front()));
    return;
  }
  lines.line("  {} explain {} of it:", ranks_in_words(numbers), explained_text(diff.ranks.named_share));
  for (size_t i = 0; i < std::min(named.size(), kMostNamedRanks); ++i)
    lines.line("    rank {} {}: {}", named[i]->rank, share_of(*named[i]), what(*named[i]));
}

std::string first_screen(const Diff& diff, size_t width) {
  TextLines head;
  rank_lines(head, diff);
  rate_line(head, "steps/s", diff.a.throughput.steps_per_s, diff.b.throughput.steps_per_s);
  rate_line(head, "samples/s", diff.a.throughput.samples_per_s, diff.b.throughput.samples_per_s);
  rate_line(head, "tokens/s", diff.a.throughput.tokens_per_s, diff.b.throughput.tokens_per_s);
  side_lines(head, "A", diff.a);
  side_lines(head, "B", diff.b);
  std::string text = head.take() + notes_text(diff.notes);
  text += parts_text("WHERE THE DIFFERENCE IS   (per rank and step; *: more than chance)", "row", diff.rows, diff.step,
                     kMostDiffRows, width);
  if (!diff.settings.empty()) text += settings_text(diff, width);
  return text + fmt::format("\nmore: --show {},all\n", fmt::join(diff_section_names(), ","));
}

}  // namespace

std::vector<std::string_view> diff_section_names() {
  std::vector<std::string_view> names;
  for (const DiffSection& section : kSections) names.push_back(section.name);
  return names;
}

std::vector<std::string> parse_diff_sections(const std::string& list, std::string& complaint) {
  return parse_names(list, diff_section_names(), complaint);
}

std::string diff_text(const Diff& diff, const std::vector<std::string>& sections, size_t width) {
  std::string text = verdict_text(diff) + "\n";
  if (sections.empty()) text += first_screen(diff, width);
  for (const std::string& name : sections)
    for (const DiffSection& section : kSections)
      if (section.name == name) text += section.text(diff, width);
  return terminal_lines(with_wrapped_prose(text, width));
}

}  // namespace tauprof
