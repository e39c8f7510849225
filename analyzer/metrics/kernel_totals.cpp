#include "metrics/kernel_totals.h"

#include <algorithm>

namespace tauprof {

void total_kernels(const ProcessTrace& trace, const DeviceTrace& device, const std::vector<StepWindow>& windows,
                   const std::optional<StepRange>& choice, RankTimeline& timeline) {
  auto& tables = timeline.kernels;
  tables.resize(std::min(windows.size(), kLeadingSteps + 1));
  std::vector<uint32_t> kernel_name(trace.names.size(), kNoIndex);
  // Rows by name and class: one kernel may be launched plainly and inside a collective.
  std::vector<std::vector<uint32_t>> row_of(tables.size());
  size_t window = 0;
  for (const DeviceSpan& span : device.spans) {
    if (span.span_class == SpanClass::kNotWork) continue;
    while (window < windows.size() && span.start >= windows[window].device.end) ++window;
    if (window == windows.size()) break;
    if (span.start < windows[window].device.start) continue;
    if (choice && !choice->has(trace.steps[windows[window].host_step].number)) continue;
    const size_t which = std::min(window, kLeadingSteps);
    if (row_of[which].empty()) row_of[which].assign(trace.names.size() * kWorkClassCount, kNoIndex);
    uint32_t& row = row_of[which][span.name * kWorkClassCount + static_cast<size_t>(span.span_class)];
    if (row == kNoIndex) {
      uint32_t& name = kernel_name[span.name];
      if (name == kNoIndex) {
        name = static_cast<uint32_t>(timeline.kernel_names.size());
        timeline.kernel_names.emplace_back(trace.names[span.name]);
      }
      row = static_cast<uint32_t>(tables[which].size());
      tables[which].push_back({name, span.span_class, 0, 0});
    }
    ++tables[which][row].count;
    tables[which][row].total += span.end - span.start;
  }
}

}  // namespace tauprof
