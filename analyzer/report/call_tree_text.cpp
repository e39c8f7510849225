#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "report/section_lengths.h"
#include "report/text_lines.h"
#include "report/text_sections.h"
#include "report/text_table.h"
#include "report/text_values.h"
#include "report/value_names.h"

namespace tauprof {
namespace {

// The name of a row; for one that belongs to none of `what`, a description.
std::string words_of(const TimesOfName& row, std::string_view what) {
  if (row.kind == PathKind::kRoot) return fmt::format("outside {}", what);
  if (row.kind == PathKind::kPass) return fmt::format("{}, of no known {}", row.name, what.substr(0, what.size() - 1));
  return row.name;
}

std::string times_text(const Report& report, size_t width, std::string_view what, Fit fit,
                       const std::vector<TimesOfName>& rows) {
  if (rows.empty()) return {};
  const RunMetrics& metrics = report.metrics;
  const size_t host_windows = metrics.ranks.size() * metrics.steps.selection.analysed.size();
  const auto windows =
      static_cast<double>(std::max<size_t>(metrics.is_timed() ? metrics.time.windows : host_windows, 1));
  Nanoseconds all = 0;
  for (const TimesOfName& row : rows) all += row.self.device;
  const auto time = [&](Nanoseconds total) {
    return total > 0 ? duration_text(static_cast<double>(total) / windows) : std::string("-");
  };
  TextTable table({{"share"},
                   {"device"},
                   {"itself"},
                   {"exposed"},
                   {"idle", false, 3},
                   {"host", false, 1},
                   {"blocked", false, 2},
                   {std::string(what.substr(0, what.size() - 1)), true, 0, fit}});
  for (size_t i = 0; i < std::min(rows.size(), kMostTimesLines); ++i) {
    const TimesOfName& row = rows[i];
    const double share = static_cast<double>(row.total.device) / static_cast<double>(std::max<Nanoseconds>(all, 1));
    table.row({all > 0 ? percent_text(share) : "-", time(row.total.device), time(row.self.device),
               time(row.total.exposed), time(row.total.idle), time(row.total.host), time(row.total.blocked),
               words_of(row, what)});
  }
  TextLines lines;
  lines.left_out(rows.size(), kMostTimesLines);
  std::string head(what);
  std::transform(head.begin(), head.end(), head.begin(), [](char c) { return static_cast<char>(c & ~0x20); });
  const std::string work =
      all > 0 ? fmt::format("; {} of device work", duration_text(static_cast<double>(all) / windows)) : std::string();
  return fmt::format("\n{}   (in a {}, with what lies inside; itself: without{})\n", head, report.unit(), work) +
         table.text(width) + lines.take();
}

}  // namespace

std::string operators_text(const Report& report, size_t width) {
  return times_text(report, width, "operators", Fit::kName, report.metrics.work.operators);
}

std::string modules_text(const Report& report, size_t width) {
  return times_text(report, width, "modules", Fit::kPath, report.metrics.work.modules);
}

std::string lines_text(const Report& report, size_t width) {
  return times_text(report, width, "lines", Fit::kPath, report.metrics.work.lines);
}

}  // namespace tauprof
