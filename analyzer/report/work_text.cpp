#include "report/work_text.h"

#include <algorithm>
#include <string>
#include <vector>

#include "report/distinct_names.h"
#include "report/section_lengths.h"
#include "report/text_lines.h"
#include "report/text_values.h"
#include "report/value_names.h"

namespace tauprof {
namespace {

// Columns for what stands at the end of a line, after `before` columns.
size_t rest_of(size_t width, size_t before) { return std::max<size_t>(24, width - std::min(width, before)); }

}  // namespace

std::string kernels_text(const RunMetrics& metrics, size_t width) {
  if (metrics.kernels.empty()) return {};
  TextLines lines;
  lines.line("\nKERNELS");
  const auto total = static_cast<double>(std::max<Nanoseconds>(metrics.kernel_total, 1));
  const size_t shown = std::min(metrics.kernels.size(), kMostTableLines);
  std::vector<std::string> names;
  for (size_t i = 0; i < shown; ++i) names.push_back(metrics.kernels[i].name);
  names = distinct_names(names, rest_of(width, 49));
  for (size_t i = 0; i < shown; ++i) {
    const KernelMetrics& of = metrics.kernels[i];
    const auto time = static_cast<double>(of.total);
    lines.line("  {:>5.1f} % {:>12} {:>8} x  {:<12} {}", 100 * time / total, duration_text(time), of.count,
               name_of(of.span_class), names[i]);
  }
  lines.left_out(metrics.kernels.size(), kMostTableLines);
  return lines.take();
}

std::string calls_text(const RunMetrics& metrics, size_t width) {
  if (metrics.calls.empty()) return {};
  TextLines lines;
  lines.line("\nCALLS   (on the host; the longest in all first)");
  lines.line("  {:>12} {:>9}   {:>12} {:>12} {:>12}  {}", "total", "count", "mean", "min", "max", "function");
  for (size_t i = 0; i < std::min(metrics.calls.size(), kMostTableLines); ++i) {
    const CallMetrics& of = metrics.calls[i];
    const auto total = static_cast<double>(of.total);
    lines.line("  {:>12} {:>9} x {:>12} {:>12} {:>12}  {}", duration_text(total), of.count,
               duration_text(total / static_cast<double>(of.count)), duration_text(static_cast<double>(of.shortest)),
               duration_text(static_cast<double>(of.longest)), shortened(of.function, rest_of(width, 69)));
  }
  lines.left_out(metrics.calls.size(), kMostTableLines);
  return lines.take();
}

std::string slow_calls_text(const RunMetrics& metrics, size_t width) {
  if (metrics.source_lines.empty()) return {};
  TextLines lines;
  lines.line("\nSLOW CALLS BY PLACE   (on the host; the longest first)");
  size_t count = 0;
  for (const SourceLineMetrics& of : metrics.source_lines) {
    if (of.count == 0 || ++count > kMostTableLines) continue;
    lines.line("  {:>12} {:>8} x  {:<26} {}", duration_text(static_cast<double>(of.total)), of.count,
               of.call.empty() ? "between calls" : shortened(of.call, 26),
               shortened_front(of.where, rest_of(width, 54)));
  }
  lines.left_out(count, kMostTableLines);
  return lines.take();
}

}  // namespace tauprof
