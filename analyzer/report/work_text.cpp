#include <algorithm>
#include <string>
#include <vector>

#include "report/distinct_names.h"
#include "report/section_lengths.h"
#include "report/text_lines.h"
#include "report/text_sections.h"
#include "report/text_table.h"
#include "report/text_values.h"
#include "report/value_names.h"

namespace tauprof {
std::string kernels_text(const RunMetrics& metrics, size_t width) {
  if (metrics.work.kernels.empty()) return {};
  const auto total = static_cast<double>(std::max<Nanoseconds>(metrics.work.kernel_total, 1));
  const size_t shown = std::min(metrics.work.kernels.size(), kMostTableLines);
  std::vector<std::string> names;
  for (size_t i = 0; i < shown; ++i) names.push_back(metrics.work.kernels[i].name);
  names = bare_names(names);
  TextTable table({{"share"}, {"total"}, {"count"}, {"class", true}, {"kernel", true, 0, Fit::kName}});
  for (size_t i = 0; i < shown; ++i) {
    const KernelMetrics& kernel = metrics.work.kernels[i];
    const auto time = static_cast<double>(kernel.total);
    table.row({percent_text(time / total), duration_text(time), std::to_string(kernel.count),
               std::string(name_of(kernel.span_class)), names[i]});
  }
  TextLines lines;
  lines.left_out(metrics.work.kernels.size(), kMostTableLines);
  return "\nKERNELS\n" + table.text(width) + lines.take();
}

std::string calls_text(const RunMetrics& metrics, size_t width) {
  if (metrics.work.calls.empty()) return {};
  TextTable table({{"total"}, {"count"}, {"mean"}, {"min"}, {"max"}, {"function", true, 0, Fit::kName}});
  for (size_t i = 0; i < std::min(metrics.work.calls.size(), kMostTableLines); ++i) {
    const CallMetrics& call = metrics.work.calls[i];
    const auto total = static_cast<double>(call.total);
    table.row({duration_text(total), std::to_string(call.count), duration_text(total / static_cast<double>(call.count)),
               duration_text(static_cast<double>(call.shortest)), duration_text(static_cast<double>(call.longest)),
               call.function});
  }
  TextLines lines;
  lines.left_out(metrics.work.calls.size(), kMostTableLines);
  return "\nCALLS   (on the host; the longest in all first)\n" + table.text(width) + lines.take();
}

std::string slow_calls_text(const RunMetrics& metrics, size_t width) {
  if (metrics.work.source_lines.empty()) return {};
  TextTable table({{"total"}, {"count"}, {"call", true, 0, Fit::kName}, {"place", true, 0, Fit::kPath}});
  size_t count = 0;
  for (const SourceLineMetrics& line : metrics.work.source_lines) {
    if (line.count == 0 || ++count > kMostTableLines) continue;
    table.row({duration_text(static_cast<double>(line.total)), std::to_string(line.count),
               line.call.empty() ? "between calls" : line.call, line.where});
  }
  TextLines lines;
  lines.left_out(count, kMostTableLines);
  return "\nSLOW CALLS BY PLACE   (on the host; the longest first)\n" + table.text(width) + lines.take();
}

}  // namespace tauprof
