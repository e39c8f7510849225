#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "findings/finding_words.h"
#include "limits/analysis_limits.h"
#include "report/repair_edge.h"
#include "report/repairs.h"
#include "report/statement_text.h"
#include "report/text_sections.h"
#include "report/text_values.h"
#include "report/value_names.h"
#include "report/wrapped_text.h"

namespace tauprof {
namespace {

constexpr size_t kDetailColumn = 13;  // where evidence, place and advice start
constexpr size_t kMostPlace = 160;

bool has_details(const Finding& finding, double step) {
  return !finding.saves_ns_per_step || *finding.saves_ns_per_step >= kWorthwhile * step;
}

std::string title_lines(size_t number, const Finding& finding, const RepairEdge& edge, size_t width) {
  const std::string right = edge.of(finding);
  const size_t room = width - std::min(width, right.size() + 2);
  std::string title = wrapped(fmt::format(" {}  {}", number, terminal_text(text_of(finding.title))), room, 4, 1);
  title.pop_back();
  const size_t gap = room - std::min(room, columns_of(title));
  return right.empty() ? title + "\n" : title + std::string(gap + 2, ' ') + right + "\n";
}

std::string detail(const char* name, const std::string& text, size_t width, size_t most_lines) {
  if (text.empty()) return {};
  return wrapped(fmt::format("      {:<6} {}", name, terminal_text(text)), width, kDetailColumn, most_lines);
}

std::string place_of(const Finding& finding) {
  const FindingWhere where = where_of(finding);
  if (where.place.empty()) return {};
  const std::string share = where.share > 0 ? fmt::format(" ({:.0f} % of it)", 100 * where.share) : std::string();
  return shortened_front(where.place, kMostPlace) + share;
}

// The command to type next, whole or not at all, as half of it would ask for something else.
std::string command_line(const Finding& finding, const Report& report, size_t width) {
  constexpr size_t kMostLines = 2;
  std::string line = detail("ask", next_command(finding, report), width, 1 + kMostLines);
  return lines_in(line) <= kMostLines ? line : std::string();
}

// `most_lines`: of each.
std::string details(const Finding& finding, size_t width, size_t most_lines) {
  return detail("why", text_of(evidence_of(finding)), width, most_lines) +
         detail("where", place_of(finding), width, most_lines) +
         detail("do", text_of(advice_of(finding)), width, most_lines);
}

std::string together(const Report& report, double step, size_t width) {
  const Savings& savings = report.savings;
  if (!savings.combined_ns_per_step || step <= 0) return {};
  const std::string right = predicted_text(std::max(0.0, step - *savings.combined_ns_per_step), savings.error_ns(step));
  std::string left = "    all together";
  const std::string error = !savings.error ? " (a single step does not tell how far the replay is off)"
                            : savings.is_predicted
                                ? fmt::format(" (light steps are predicted to {:.2f} %)", 100 * savings.error->mean)
                                : fmt::format(" (the replay repeats steps to {:.2f} %)", 100 * savings.error->mean);
  if (left.size() + error.size() + right.size() < width) left += error;
  return fmt::format("{}{:>{}}\n", left, right, width - std::min(width, left.size()));
}

// A repair with as much of its details as fits: the first repair's go before the others' titles, which go before their
// details. The command that asks for it takes the place of no title. `others`: the titles that are still to come.
std::string repair_lines(size_t number, const Finding& finding, const RepairEdge& edge, const Report& report,
                         size_t width, size_t room, size_t others) {
  const std::string title = title_lines(number, finding, edge, width);
  if (!has_details(finding, step_before(report))) return title;
  const std::string command = command_line(finding, report, width);
  for (const std::string& last : {command, std::string()})
    for (const size_t most_of_each : {2, 1}) {
      const std::string lines = title + details(finding, width, most_of_each) + last;
      if (lines_in(lines) + (last.empty() ? 0 : others) <= room) return lines;
    }
  return title;
}

}  // namespace

std::string repairs_text(const Report& report, size_t width, size_t most_lines) {
  const double step = step_before(report);
  const std::vector<const Finding*> repairs = repairs_of(report);
  if (repairs.empty()) return "REPAIR   nothing found that costs time\n";
  const RepairEdge edge(report);
  std::string text = fmt::format("REPAIR{:>{}}\n", edge.head(), width - std::min(width, size_t{6}));
  const std::string end = repairs.size() > 1 ? together(report, step, width) : std::string();
  size_t left = most_lines - std::min(most_lines, 1 + lines_in(end));
  size_t shown = 0;
  for (const Finding* finding : repairs) {
    const size_t others = repairs.size() - shown - 1;
    const size_t to_count_them = others > 0 ? 1 : 0;
    if (left < 1 + to_count_them) break;
    const bool is_first = shown == 0;
    const size_t room = left - std::min(left, is_first ? to_count_them : others);
    const std::string lines = repair_lines(shown + 1, *finding, edge, report, width, room, is_first ? others : 0);
    left -= lines_in(lines);
    text += lines;
    ++shown;
  }
  if (shown < repairs.size()) text += fmt::format("    ... {} more: --show findings\n", repairs.size() - shown);
  return text + end;
}

}  // namespace tauprof
