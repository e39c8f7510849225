#include "metrics/kernels/kernel_totals.h"

#include <algorithm>
#include <array>
#include <string>

namespace tauprof {
namespace {

// Names for records without one: copies by direction, as PyTorch's profiler calls them, then other work.
constexpr std::array<const char*, 10> kUnnamed = {"Memcpy", "Memcpy HtoH", "Memcpy HtoD", "Memcpy DtoH", "Memcpy DtoD",
                                                  "Memcpy", "Memcpy PtoP", "Memset",      "CUDA graph",  "(no name)"};
constexpr size_t kUnnamedMemset = 7, kUnnamedGraph = 8, kUnnamedOther = 9;

size_t unnamed(const DeviceSpan& span) {
  switch (span.activity) {
    case log::ActivityKind::kMemcpy:
      return std::min(static_cast<size_t>(span.copy_kind), kUnnamedMemset - 1);
    case log::ActivityKind::kMemset:
      return kUnnamedMemset;
    case log::ActivityKind::kGraph:
      return kUnnamedGraph;
    default:
      return kUnnamedOther;
  }
}

}  // namespace

void total_kernels(const ProcessTrace& trace, const DeviceTrace& device, const std::vector<StepWindow>& windows,
                   const std::optional<StepRange>& choice, RankTimeline& timeline) {
  auto& tables = timeline.kernels;
  tables.resize(std::min(windows.size(), kLeadingSteps + 1));
  const size_t names = trace.names.size() + kUnnamed.size();
  std::vector<uint32_t> kernel_name(names, kNoIndex);
  // Rows by name and class: the same kernel may run by itself and inside a collective.
  std::vector<std::vector<uint32_t>> row_of(tables.size());
  size_t window = 0;
  for (const DeviceSpan& span : device.spans) {
    if (span.span_class == SpanClass::kNotWork) continue;
    while (window < windows.size() && span.start >= windows[window].device->end) ++window;
    if (window == windows.size()) break;
    if (span.start < windows[window].device->start) continue;
    if (choice && !choice->has(trace.steps[windows[window].host_step].number)) continue;
    const size_t which = std::min(window, kLeadingSteps);
    if (row_of[which].empty()) row_of[which].assign(names * kWorkClassCount, kNoIndex);
    const bool is_named = !trace.names[span.name].empty();
    const size_t number = is_named ? span.name : trace.names.size() + unnamed(span);
    uint32_t& row = row_of[which][number * kWorkClassCount + static_cast<size_t>(span.span_class)];
    if (row == kNoIndex) {
      uint32_t& name = kernel_name[number];
      if (name == kNoIndex) {
        name = static_cast<uint32_t>(timeline.kernel_names.size());
        timeline.kernel_names.emplace_back(is_named ? std::string(trace.names[span.name]) : kUnnamed[unnamed(span)]);
      }
      row = static_cast<uint32_t>(tables[which].size());
      tables[which].push_back({name, span.span_class, 0, 0});
    }
    ++tables[which][row].count;
    tables[which][row].total += span.end - span.start;
  }
}

}  // namespace tauprof
