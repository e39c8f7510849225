#include "replay/changes.h"

#include <cmath>
#include <utility>

namespace tauprof {

Changes::Change& Changes::change(OperationId operation) {
  if (changes_.empty() || changes_.back().operation != operation)
    changes_.push_back({operation, run_.graph().duration(operation), run_.graph().delay(operation)});
  return changes_.back();
}

void Changes::scale(OperationId operation, double factor) {
  if (factors_.empty()) factors_.assign(run_.graph().size(), 1);
  factors_[operation] *= static_cast<float>(factor);
}

Nanoseconds Changes::duration(OperationId operation) const {
  const Nanoseconds duration = run_.graph().duration(operation);
  if (factors_.empty() || factors_[operation] == 1) return duration;
  return std::llround(static_cast<double>(duration) * factors_[operation]);
}

void Changes::exchange(Change& change) const {
  OperationGraph<Nanoseconds>& graph = run_.graph();
  const Nanoseconds duration = graph.duration(change.operation), delay = graph.delay(change.operation);
  graph.set_duration(change.operation, std::exchange(change.duration, duration));
  graph.set_delay(change.operation, std::exchange(change.delay, delay));
}

Schedule<Nanoseconds> Changes::replayed() const {
  for (Change& change : changes_) exchange(change);
  Schedule<Nanoseconds> schedule;
  using Edge = OperationGraph<Nanoseconds>::Edge;
  const OperationGraph<Nanoseconds>& graph = run_.graph();
  const auto duration_of = [&](OperationId id) { return is_gone_[id] ? 0 : duration(id); };
  // What starts a thread still starts when it did.
  const auto delay_of = [&](OperationId id) { return is_gone_[id] && !graph.edges(id).empty() ? 0 : graph.delay(id); };
  const auto edges_of = [&](OperationId id, std::span<const Edge> edges) {
    return is_gone_[id] && run_.kind(id) == OperationKind::kReturn ? edges.first(1) : edges;
  };
  replay(graph, duration_of, delay_of, schedule, edges_of);
  for (size_t i = changes_.size(); i-- > 0;) exchange(changes_[i]);
  return schedule;
}

double Changes::saving() const { return run_.mean_step(run_.measured()) - run_.mean_step(replayed()); }

}  // namespace tauprof
