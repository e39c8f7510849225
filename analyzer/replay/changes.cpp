#include "replay/changes.h"

namespace tauprof {

Changes::Changes(const RunGraph& run)
    : run_(run), durations_(run.graph().size()), delays_(run.graph().size()), is_free_(run.graph().size()) {
  for (OperationId id = 0; id < durations_.size(); ++id) {
    durations_[id] = run.graph().duration(id);
    delays_[id] = run.graph().delay(id);
  }
}

void Changes::remove(OperationId operation) {
  durations_[operation] = 0;
  if (run_.graph().edges(operation).empty()) return;
  delays_[operation] = 0;
  is_free_[operation] = run_.kind(operation) == OperationKind::kReturn;
}

Schedule<Nanoseconds> Changes::replayed() const {
  Schedule<Nanoseconds> schedule;
  using Edge = OperationGraph<Nanoseconds>::Edge;
  replay(
      run_.graph(), [&](OperationId id) { return durations_[id]; }, [&](OperationId id) { return delays_[id]; },
      schedule, [&](OperationId id, std::span<const Edge> edges) { return is_free_[id] ? edges.first(1) : edges; });
  return schedule;
}

double Changes::saving() const { return run_.mean_step(run_.measured()) - run_.mean_step(replayed()); }

}  // namespace tauprof
