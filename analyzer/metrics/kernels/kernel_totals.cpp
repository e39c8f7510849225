#include "metrics/kernels/kernel_totals.h"

#include <algorithm>
#include <array>
#include <string>

#include "limits/analysis_limits.h"
#include "metrics/efficiency/work_of_spans.h"

namespace tauprof {
namespace {

// Names for records without one: copies by direction and the host's memory, as PyTorch's profiler calls them, then
// other work.
constexpr std::array<std::string_view, 14> kUnnamed = {"Memcpy",
                                                       "Memcpy HtoH",
                                                       "Memcpy HtoD",
                                                       "Memcpy DtoH",
                                                       "Memcpy DtoD",
                                                       "Memcpy",
                                                       "Memcpy PtoP",
                                                       "Memset",
                                                       kGraphName,
                                                       "(no name)",
                                                       "Memcpy HtoD (Pageable -> Device)",
                                                       "Memcpy HtoD (Pinned -> Device)",
                                                       "Memcpy DtoH (Device -> Pageable)",
                                                       "Memcpy DtoH (Device -> Pinned)"};
constexpr size_t kUnnamedMemset = 7, kUnnamedGraph = 8, kUnnamedOther = 9, kUnnamedFromHost = 10, kUnnamedToHost = 12;

size_t unnamed_copy(const DeviceSpan& span) {
  if (span.host_memory != log::HostMemory::kUnknown) {
    const size_t memory = static_cast<size_t>(span.host_memory) - 1;
    if (span.copy_kind == log::CopyKind::kHostToDevice) return kUnnamedFromHost + memory;
    if (span.copy_kind == log::CopyKind::kDeviceToHost) return kUnnamedToHost + memory;
  }
  return std::min(static_cast<size_t>(span.copy_kind), kUnnamedMemset - 1);
}

size_t unnamed(const DeviceSpan& span) {
  switch (span.activity) {
    case log::ActivityKind::kMemcpy:
      return unnamed_copy(span);
    case log::ActivityKind::kMemset:
      return kUnnamedMemset;
    case log::ActivityKind::kGraph:
      return kUnnamedGraph;
    default:
      return kUnnamedOther;
  }
}

}  // namespace

std::string_view name_of_work(const DeviceSpan& span, const Names& names) {
  const std::string_view name = names[span.name];
  return name.empty() ? kUnnamed[unnamed(span)] : name;
}

size_t kernel_table_of(size_t step, size_t steps) {
  if (step < kLeadingSteps) return step;
  const size_t others = steps - kLeadingSteps;
  return kLeadingSteps + (step - kLeadingSteps) * std::min(others, kMostStretches) / others;
}

void total_kernels(const ProcessTrace& trace, const DeviceTrace& device, const std::vector<StepWindow>& windows,
                   const std::optional<StepRange>& choice, RankTimeline& timeline) {
  auto& tables = timeline.kernels;
  if (windows.empty()) return;
  tables.resize(kernel_table_of(windows.size() - 1, windows.size()) + 1);
  const size_t names = trace.names.size() + kUnnamed.size();
  std::vector<uint32_t> kernel_name(names, kNoIndex);
  // Rows of the current table, by name and class: the same kernel may run by itself and inside a collective. Spans are
  // in order of their starts, so tables follow each other.
  std::vector<uint32_t> row_of;
  WorkOfSpans works(trace, device);
  size_t window = 0, which = kLeadingSteps + kMostStretches;
  for (const DeviceSpan& span : device.spans) {
    if (span.span_class == SpanClass::kNotWork) continue;
    while (window < windows.size() && span.start >= windows[window].device->end) ++window;
    if (window == windows.size()) break;
    if (span.start < windows[window].device->start) continue;
    if (choice && !choice->has(trace.steps[windows[window].host_step].number)) continue;
    if (const size_t table = kernel_table_of(window, windows.size()); table != which) {
      row_of.assign(names * kWorkClassCount, kNoIndex);
      which = table;
    }
    const bool is_named = !trace.names[span.name].empty();
    const size_t number = is_named ? span.name : trace.names.size() + unnamed(span);
    uint32_t& row = row_of[number * kWorkClassCount + static_cast<size_t>(span.span_class)];
    if (row == kNoIndex) {
      uint32_t& name = kernel_name[number];
      if (name == kNoIndex) {
        name = static_cast<uint32_t>(timeline.kernel_names.size());
        timeline.kernel_names.emplace_back(name_of_work(span, trace.names));
      }
      row = static_cast<uint32_t>(tables[which].size());
      tables[which].push_back({name, span.span_class});
    }
    KernelTotal& total = tables[which][row];
    ++total.count;
    total.total += span.end - span.start;
    total.longest = std::max(total.longest, span.end - span.start);
    total.work.add(works.of(span));
  }
}

}  // namespace tauprof
