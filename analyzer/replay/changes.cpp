#include "replay/changes.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "replay/passing_time.h"

namespace tauprof {

void Changes::scale(OperationId operation, double factor) {
  if (run_.stays(operation)) return;
  if (factors_.empty()) factors_.assign(run_.graph().size(), 1);
  factors_[operation] *= static_cast<float>(factor);
}

// One change for each operation, in order.
void Changes::merge() const {
  const auto before = [](const Change& a, const Change& b) { return a.operation < b.operation; };
  if (!std::is_sorted(changes_.begin(), changes_.end(), before)) std::sort(changes_.begin(), changes_.end(), before);
  size_t last = 0;
  for (size_t i = 1; i < changes_.size(); ++i) {
    const Change& one = changes_[i];
    if (one.operation != changes_[last].operation) {
      changes_[++last] = one;
      continue;
    }
    Change& all = changes_[last];
    all.other_step = std::min(all.other_step, one.other_step);
    all.peer = std::min(all.peer, one.peer);
    all.duration = std::min(all.duration, one.duration);
    all.delay = std::min(all.delay, one.delay);
    all.amount = std::min(all.amount, one.amount);
  }
  if (!changes_.empty()) changes_.resize(last + 1, Change{});
}

const Changes::Change* Changes::change_of(OperationId operation) const {
  const auto found = std::lower_bound(changes_.begin(), changes_.end(), operation,
                                      [](const Change& one, OperationId id) { return one.operation < id; });
  return found == changes_.end() || found->operation != operation ? nullptr : &*found;
}

// Without its example.
Changes::Length Changes::own_length(OperationId operation, const Change* change) const {
  const RunGraph& run = run_;
  Nanoseconds duration = run.graph().duration(operation);
  if (change != nullptr && change->duration != INT64_MAX) duration = change->duration;
  if (change != nullptr && std::isfinite(change->amount))
    duration = std::llround(static_cast<double>(duration) * change->amount);
  const Contention& contention = run.contention();
  return {duration, contention.is_known() ? contention.measured(operation) : 0, is_gone_[operation], std::nullopt};
}

Changes::Length Changes::length(const Change& of) const {
  bool is_gone = false;
  std::optional<Nanoseconds> besides;
  std::vector<OperationId> passed;
  OperationId operation = of.operation;
  for (const Change* change = &of;; change = change_of(operation)) {
    is_gone |= is_gone_[operation];
    if (const auto wait = waits_no_more_.find(operation); wait != waits_no_more_.end() && !besides)
      besides = wait->second;
    const auto before = std::find(passed.begin(), passed.end(), operation);
    if (before != passed.end()) {
      Length shortest = own_length(operation, change);
      for (auto other = before; other != passed.end(); ++other)
        if (const Length one = own_length(*other, change_of(*other)); one.duration < shortest.duration) shortest = one;
      return {shortest.duration, shortest.extra, is_gone, besides};
    }
    if (change == nullptr || !change->has_example()) {
      const Length own = own_length(operation, change);
      return {own.duration, own.extra, is_gone, besides};
    }
    passed.push_back(operation);
    operation = change->example();
  }
}

Changes::Resolved Changes::resolved() const {
  merge();
  Resolved all{.is_gone = is_gone_, .waits_no_more = waits_no_more_};
  if (run_.contention().is_known()) all.extra = run_.contention().measured();
  for (const Change& change : changes_) {
    const Length length = this->length(change);
    const bool is_delayed = change.delay != INT64_MAX;
    all.placed.push_back(
        {change.operation, length.duration, is_delayed ? change.delay : run_.graph().delay(change.operation)});
    if (!all.extra.empty()) all.extra[change.operation] = static_cast<int32_t>(length.extra);
    if (length.is_gone) all.is_gone[change.operation] = true;
    if (length.besides) all.waits_no_more.emplace(change.operation, *length.besides);
  }
  return all;
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

Nanoseconds Changes::scaled(OperationId operation, Nanoseconds duration) const {
  if (factors_.empty() || factors_[operation] == 1) return duration;
  return std::llround(static_cast<double>(duration) * factors_[operation]);
}

Nanoseconds Changes::lead_of(OperationId operation) const {
  const auto edges = run_.graph().edges(operation);
  if (is_on_host(run_.kind(operation)) || edges.empty() || run_.stays(operation)) return 0;
  return std::clamp<Nanoseconds>(edges.front().lag, 0, lead_);
}

void Changes::exchange(std::vector<Placed>& placed) const {
  OperationGraph<Nanoseconds>& graph = run_.graph();
  for (Placed& one : placed) {
    const Nanoseconds duration = graph.duration(one.operation), delay = graph.delay(one.operation);
    graph.set_duration(one.operation, std::exchange(one.duration, duration));
    graph.set_delay(one.operation, std::exchange(one.delay, delay));
  }
}

// Behind all of its edges but the assumed one.
Nanoseconds Changes::measured_delay(OperationId operation) const {
  const auto edges = run_.graph().edges(operation);
  const Schedule<Nanoseconds>& measured = run_.measured();
  Nanoseconds ready = INT64_MIN;
  for (const auto& edge : edges.first(edges.size() - 1)) ready = std::max(ready, measured[edge.before].end + edge.lag);
  return std::max<Nanoseconds>(0, measured[operation].start - ready);
}

ContendedReplay Changes::replayed(Assumed assumed) const {
  Resolved all = resolved();
  exchange(all.placed);
  using Edge = OperationGraph<Nanoseconds>::Edge;
  const OperationGraph<Nanoseconds>& graph = run_.graph();
  const std::vector<bool>& is_gone = all.is_gone;
  const auto extra_of = [&](OperationId id) { return all.extra.empty() ? Nanoseconds(0) : all.extra[id]; };
  const auto work = [&](OperationId id) {
    if (is_gone[id]) {
      const auto removed = all.waits_no_more.find(id);
      return removed == all.waits_no_more.end() ? 0 : scaled(id, std::min(removed->second, graph.duration(id)));
    }
    const Nanoseconds wait = assumed == Assumed::kNobodyWaits ? run_.unknown_wait(id) : 0;
    return scaled(id, std::max<Nanoseconds>(0, graph.duration(id) - extra_of(id) - wait));
  };
  const auto extra = [&](OperationId id) { return is_gone[id] ? Nanoseconds(0) : scaled(id, extra_of(id)); };
  const auto is_let_go = [&](OperationId id) {
    return (assumed == Assumed::kStays || assumed == Assumed::kGoes) && run_.has_assumed_edge(id) &&
           graph.edges(id).size() > 1;
  };
  // The first operation of a thread still starts when it did.
  const auto delay = [&](OperationId id) {
    Nanoseconds late = graph.delay(id);
    if (is_let_go(id) && graph.delayed_edge(id) + 1 >= graph.edges(id).size())
      late = assumed == Assumed::kGoes ? 0 : measured_delay(id);
    return is_gone[id] && !graph.edges(id).empty() ? std::min<Nanoseconds>(0, late) : late;
  };
  const auto lead = [&](OperationId id) { return lead_ > 0 ? lead_of(id) : 0; };
  const auto edges = [&](OperationId id) -> std::span<const Edge> {
    const bool is_alone = is_gone[id] && (run_.kind(id) == OperationKind::kReturn || all.waits_no_more.contains(id));
    const auto all_edges = graph.edges(id);
    if (is_alone && !all_edges.empty()) return all_edges.first(1);
    return is_let_go(id) ? all_edges.first(all_edges.size() - 1) : all_edges;
  };
  ContendedReplay result =
      replay_contended(ContendedRun{run_, graph, !all.extra.empty(), work, extra, delay, lead, edges});
  exchange(all.placed);
  result.step_ns = std::max(result.step_ns, most_beside(false));
  return result;
}

void Changes::run_beside(size_t rank, OperationId copy, const OperationLabel& label, bool is_rate_known) {
  if (is_gone_[copy] || run_.stays(copy)) return;
  remove(copy);
  const bool crosses_a_link =
      label.copy_kind != log::CopyKind::kUnknown && label.copy_kind != log::CopyKind::kDeviceToDevice;
  const std::vector<GraphStep>& steps = run_.steps(rank);
  const int64_t number = run_.step_of(rank, label);
  if (!crosses_a_link ||
      std::none_of(steps.begin(), steps.end(), [number](const GraphStep& step) { return step.number == number; }))
    return;
  Beside& beside = beside_[{rank, label.copy_kind}];
  const auto [start, end] = run_.measured()[copy];
  beside.all += end - start;
  if (is_rate_known) beside.known += end - start;
}

double Changes::most_beside(bool with_unknown) const {
  double most = 0;
  for (const auto& [place, beside] : beside_) {
    const auto steps = static_cast<double>(run_.steps(place.first).size());
    most = std::max(most, static_cast<double>(with_unknown ? beside.all : beside.known) / steps);
  }
  return most;
}

double Changes::saving() const { return shorter_by(run_, replayed().step_ns); }

std::optional<Changes::Growth> Changes::largest_growth() const {
  merge();
  std::optional<Growth> largest;
  for (const Change& change : changes_) {
    if (!change.has_example()) continue;
    const Length length = this->length(change);
    const Nanoseconds was = run_.graph().duration(change.operation);
    const Nanoseconds most = largest ? largest->becomes - largest->was : 0;
    if (!length.is_gone && length.duration - was > most)
      largest = Growth{change.operation, change.example(), was, length.duration};
  }
  return largest;
}

double shorter_by(const RunGraph& run, double step_ns) {
  return static_cast<double>(std::llround(run.mean_step(run.measured())) - std::llround(step_ns));
}

}  // namespace tauprof
