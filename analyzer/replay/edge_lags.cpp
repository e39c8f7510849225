#include "replay/edge_lags.h"

#include <algorithm>

#include "limits/analysis_limits.h"
#include "metrics/statistics/statistics.h"

namespace tauprof {
namespace {

using Samples = std::array<std::vector<Nanoseconds>, kEdgeKindCount>;

// Adds how long after its last edge an operation started, if the others had let it go by then.
void add_sample(const ProcessOperations& process, uint32_t id, Samples& samples) {
  const Nanoseconds start = process.times[id].start;
  const OperationEdge* last = nullptr;
  Nanoseconds last_end = INT64_MIN, before = INT64_MIN;
  for (uint32_t i = process.first_edge[id]; i < process.first_edge[id + 1]; ++i) {
    const OperationEdge& edge = process.edges[i];
    const Nanoseconds end = process.times[edge.before].end;
    if (end > last_end) {
      before = last_end;
      last = &edge;
      last_end = end;
    } else {
      before = std::max(before, end);
    }
  }
  if (last == nullptr || last_end > start) return;
  if (before != INT64_MIN && last_end - before < kClearlyLast) return;
  samples[static_cast<size_t>(last->kind)].push_back(start - last_end);
}

}  // namespace

void set_lags(ProcessOperations& process) {
  process.lags.assign(process.steps.size(), {});
  std::vector<Samples> samples(process.steps.size());
  for (uint32_t id = 0; id < process.operations.size(); ++id)
    if (process.operations[id].kind != OperationKind::kBetween && process.operations[id].kind != OperationKind::kCall)
      add_sample(process, id, samples[process.operations[id].device]);
  for (size_t device = 0; device < samples.size(); ++device)
    for (size_t kind = 0; kind < kEdgeKindCount; ++kind)
      if (std::vector<Nanoseconds>& values = samples[device][kind]; !values.empty())
        process.lags[device][kind] = std::clamp<Nanoseconds>(lower_median(values), 0, kEventNoticed);
}

}  // namespace tauprof
