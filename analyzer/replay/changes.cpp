#include "replay/changes.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace tauprof {

Changes::Change& Changes::change(OperationId operation) {
  if (changes_.empty() || changes_.back().operation != operation)
    changes_.push_back({operation, run_.graph().duration(operation), run_.graph().delay(operation)});
  return changes_.back();
}

void Changes::copy_duration(OperationId operation, OperationId example) {
  set_duration(operation, run_.graph().duration(example));
  if (!extra_.empty()) extra_[operation] = static_cast<int32_t>(run_.contention().measured(example));
}

void Changes::scale(OperationId operation, double factor) {
  if (factors_.empty()) factors_.assign(run_.graph().size(), 1);
  factors_[operation] *= static_cast<float>(factor);
}

std::vector<bool> Changes::changed() const {
  std::vector<bool> changed = is_gone_;
  for (const Change& one : changes_) changed[one.operation] = true;
  for (OperationId operation = 0; operation < factors_.size(); ++operation)
    if (factors_[operation] != 1) changed[operation] = true;
  return changed;
}

bool Changes::share_operations(const Changes& other) const {
  const std::vector<bool> own = changed(), others = other.changed();
  for (size_t operation = 0; operation < own.size(); ++operation)
    if (own[operation] && others[operation]) return true;
  return false;
}

Nanoseconds Changes::work(OperationId operation) const {
  if (is_gone_[operation]) return 0;
  const Nanoseconds work = run_.graph().duration(operation) - (extra_.empty() ? 0 : extra_[operation]);
  return scaled(operation, work);
}

Nanoseconds Changes::scaled(OperationId operation, Nanoseconds duration) const {
  if (factors_.empty() || factors_[operation] == 1) return duration;
  return std::llround(static_cast<double>(duration) * factors_[operation]);
}

Nanoseconds Changes::lead_of(OperationId operation) const {
  const auto edges = run_.graph().edges(operation);
  if (is_on_host(run_.kind(operation)) || edges.empty()) return 0;
  return std::clamp<Nanoseconds>(edges.front().lag, 0, lead_);
}

void Changes::exchange(Change& change) const {
  OperationGraph<Nanoseconds>& graph = run_.graph();
  const Nanoseconds duration = graph.duration(change.operation), delay = graph.delay(change.operation);
  graph.set_duration(change.operation, std::exchange(change.duration, duration));
  graph.set_delay(change.operation, std::exchange(change.delay, delay));
}

ContendedReplay Changes::replayed() const {
  for (Change& change : changes_) exchange(change);
  using Edge = OperationGraph<Nanoseconds>::Edge;
  const OperationGraph<Nanoseconds>& graph = run_.graph();
  ContendedRun run{.run = &run_, .graph = &graph};
  run.work = [&](OperationId id) { return work(id); };
  if (!extra_.empty())
    run.extra = [&](OperationId id) { return is_gone_[id] ? Nanoseconds(0) : scaled(id, extra_[id]); };
  // The first operation of a thread still starts when it did.
  run.delay = [&](OperationId id) { return is_gone_[id] && !graph.edges(id).empty() ? 0 : graph.delay(id); };
  if (lead_ > 0) run.lead = [&](OperationId id) { return lead_of(id); };
  run.edges = [&](OperationId id) -> std::span<const Edge> {
    const bool is_alone = is_gone_[id] && (run_.kind(id) == OperationKind::kReturn || waits_no_more_.contains(id));
    return is_alone && !graph.edges(id).empty() ? graph.edges(id).first(1) : graph.edges(id);
  };
  ContendedReplay result = replay_contended(run);
  for (size_t i = changes_.size(); i-- > 0;) exchange(changes_[i]);
  return result;
}

double Changes::saving() const { return run_.mean_step(run_.measured()) - replayed().step_ns; }

}  // namespace tauprof
