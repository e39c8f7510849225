#include "replay/edge_lags.h"

#include <algorithm>

#include "limits/analysis_limits.h"
#include "metrics/statistics/statistics.h"

namespace tauprof {
namespace {

using Samples = std::array<std::vector<Nanoseconds>, kEdgeKindCount>;

// When an edge has let its operation go for certain. A launching call comes right behind what the host did before it.
Nanoseconds let_go(const ProcessOperations& process, const OperationEdge& edge) {
  return process.times[edge.before + (edge.kind == EdgeKind::kLaunch ? 1 : 0)].end;
}

// Adds how long after its last edge an operation started, if the others had let it go by then.
void add_sample(const ProcessOperations& process, uint32_t id, Samples& samples) {
  const Nanoseconds start = process.times[id].start;
  const OperationEdge* last = nullptr;
  Nanoseconds last_end = INT64_MIN;
  for (uint32_t i = process.first_edge[id]; i < process.first_edge[id + 1]; ++i) {
    const OperationEdge& edge = process.edges[i];
    if (process.times[edge.before].end <= last_end) continue;
    last = &edge;
    last_end = process.times[edge.before].end;
  }
  if (last == nullptr || last_end > start) return;
  for (uint32_t i = process.first_edge[id]; i < process.first_edge[id + 1]; ++i)
    if (&process.edges[i] != last && last_end - let_go(process, process.edges[i]) < kClearlyLast) return;
  samples[static_cast<size_t>(last->kind)].push_back(start - last_end);
}

// The pause of a kernel behind the kernel before it in its stream; negative: there is none.
Nanoseconds pause_before(const ProcessOperations& process, uint32_t id) {
  const auto is_kernel = [&](uint32_t one) {
    const OperationKind kind = process.operations[one].kind;
    return kind == OperationKind::kCompute || kind == OperationKind::kComm;
  };
  for (uint32_t i = process.first_edge[id]; i < process.first_edge[id + 1]; ++i)
    if (const OperationEdge& edge = process.edges[i];
        edge.kind == EdgeKind::kStream && is_kernel(id) && is_kernel(edge.before))
      return process.times[id].start - process.times[edge.before].end;
  return -1;
}

// Of pauses that are all as long or longer, how long they are at least, but for chance.
Nanoseconds least_pause(std::vector<Nanoseconds>& pauses) {
  const size_t rank = std::min(pauses.size() - 1, std::max(kByChance, pauses.size() / kOneOfByChance));
  std::nth_element(pauses.begin(), pauses.begin() + static_cast<std::ptrdiff_t>(rank), pauses.end());
  return pauses[rank];
}

bool is_held_by_no_operation(const ProcessOperations& process, uint32_t id) {
  const OperationLabel& operation = process.operations[id];
  if (is_on_host(operation.kind) || operation.row != LedgerRow::kIdleDependency) return false;
  return std::none_of(process.edges.begin() + process.first_edge[id],
                      process.edges.begin() + process.first_edge[id + 1],
                      [](const OperationEdge& edge) { return edge.kind == EdgeKind::kEvent; });
}

}  // namespace

std::optional<uint32_t> last_edge(const ProcessOperations& process, uint32_t id) {
  if (is_held_by_no_operation(process, id)) return std::nullopt;
  const Nanoseconds start = process.times[id].start;
  std::optional<uint32_t> last;
  std::pair<Nanoseconds, Nanoseconds> last_let_go;  // at the latest, but not after the start; as is usual
  for (uint32_t i = process.first_edge[id]; i < process.first_edge[id + 1]; ++i) {
    const OperationEdge& edge = process.edges[i];
    const Nanoseconds lag = process.lags[process.operations[id].device][static_cast<size_t>(edge.kind)];
    // A call that waits for its own work says nothing by when it returns.
    const bool may_return_before =
        edge.kind == EdgeKind::kLaunch && process.operations[edge.before + 1].kind == OperationKind::kCall;
    const Nanoseconds usual = process.times[edge.before].end + lag;
    const Nanoseconds latest = may_return_before ? let_go(process, edge) + lag : usual;
    const std::pair let_go_at(std::min(start, latest), usual);
    if (last && let_go_at <= last_let_go) continue;
    last = i - process.first_edge[id];
    last_let_go = let_go_at;
  }
  return last;
}

void set_lags(ProcessOperations& process) {
  process.lags.assign(process.steps.size(), {});
  std::vector<Samples> samples(process.steps.size());
  std::vector<std::vector<Nanoseconds>> pauses(process.steps.size());
  for (uint32_t id = 0; id < process.operations.size(); ++id) {
    const OperationLabel& operation = process.operations[id];
    if (operation.kind == OperationKind::kBetween || operation.kind == OperationKind::kCall) continue;
    add_sample(process, id, samples[operation.device]);
    if (const Nanoseconds pause = pause_before(process, id); pause >= 0) pauses[operation.device].push_back(pause);
  }
  for (size_t device = 0; device < samples.size(); ++device) {
    for (size_t kind = 0; kind < kEdgeKindCount; ++kind)
      if (std::vector<Nanoseconds>& values = samples[device][kind]; !values.empty())
        process.lags[device][kind] = std::clamp<Nanoseconds>(lower_median(values), 0, kEventNoticed);
    if (samples[device][static_cast<size_t>(EdgeKind::kStream)].size() <= kByChance && !pauses[device].empty())
      process.lags[device][static_cast<size_t>(EdgeKind::kStream)] = std::min(least_pause(pauses[device]), kOwnPause);
  }
}

}  // namespace tauprof
