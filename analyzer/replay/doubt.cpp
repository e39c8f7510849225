#include "replay/doubt.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <set>
#include <utility>

#include "limits/analysis_limits.h"
#include "replay/chance.h"

namespace tauprof {
namespace {

// How long an operation waits for its assumed edge alone.
Nanoseconds wait_in(const Schedule<Nanoseconds>& schedule, const RunGraph& run, OperationId operation) {
  const auto edges = run.graph().edges(operation);
  Nanoseconds ready = INT64_MIN;
  for (const auto& edge : edges.first(edges.size() - 1)) ready = std::max(ready, schedule[edge.before].end + edge.lag);
  return ready == INT64_MIN ? 0 : std::max<Nanoseconds>(0, schedule[operation].start - ready);
}

std::vector<std::string> longest_unknown(const RunGraph& run, const Schedule<Nanoseconds>& replayed) {
  std::map<uint32_t, Nanoseconds> waits;  // by name
  for (size_t rank = 0; rank < run.rank_count(); ++rank)
    run.for_operations(rank, [&](OperationId id, const OperationLabel& operation) {
      Nanoseconds wait = run.unknown_wait(id);
      if (run.has_assumed_edge(id))
        wait = std::max({wait, wait_in(run.measured(), run, id), wait_in(replayed, run, id)});
      if (wait > kClearlyLast) waits[run.name_of(rank, operation)] += wait;
    });
  std::vector<std::pair<Nanoseconds, uint32_t>> longest;
  for (const auto& [name, wait] : waits) longest.emplace_back(-wait, name);
  std::sort(longest.begin(), longest.end());
  longest.resize(std::min(longest.size(), kMostAssumed));
  std::vector<std::string> names;
  for (const auto& [wait, name] : longest) names.push_back(run.name(name));
  return names;
}

// The mean step if loaders that work ahead delivered as often as they did: where a step still waits for one, it is as
// long as it was, and only its wait becomes longer. Or a single batch was late, and then it is as replayed.
double at_loaders_pace(const RunGraph& run, const ContendedReplay& replayed) {
  std::set<int64_t> waiting;  // steps
  for (size_t rank = 0; rank < run.rank_count(); ++rank) {
    if (!run.loads_ahead(rank)) continue;
    run.for_operations(rank, [&](OperationId id, const OperationLabel& operation) {
      const auto& time = replayed.schedule[id];
      if (operation.kind == OperationKind::kBetween && operation.row == LedgerRow::kIdleDataWait &&
          time.end - time.start - operation.besides_ns >= kTurnTaken)
        waiting.insert(run.step_of(rank, operation));
    });
  }
  if (waiting.empty()) return replayed.step_ns;
  const std::vector<double> was = run.step_lengths(run.measured()), is = run.step_lengths(replayed.schedule);
  double shorter = 0;
  size_t i = 0;
  for (const int64_t step : run.step_numbers()) {
    if (i < was.size() && waiting.contains(step)) shorter += std::max(0.0, was[i] - is[i]);
    ++i;
  }
  return replayed.step_ns + shorter / static_cast<double>(was.size());
}

std::string too_wide(const Answer& answer, bool rests_on_copies, bool rests_on_loaders) {
  char text[128];
  std::snprintf(text, sizeof text, "between %.4g and %.4g ms, because the records do not tell how ",
                answer.bounds->least_ns / 1e6, answer.bounds->most_ns / 1e6);
  if (rests_on_copies) return std::string(text) + "fast its copies are from pinned memory";
  if (rests_on_loaders) return std::string(text) + "fast its loaders would be: steps wait for input already";
  std::string reason = std::string(text) + "long it waits";
  for (const std::string& name : answer.rests_on) reason += (&name == &answer.rests_on.front() ? " in " : ", ") + name;
  return reason;
}

}  // namespace

Answer answered(RunGraph& run, const Changes& changes) {
  const ContendedReplay held = changes.replayed();
  Answer answer{.step_ns = held.step_ns, .contention_ns = held.contention_ns};
  answer.steps_ns = run.step_lengths(held.schedule);
  std::vector<double> savings = run.step_lengths(run.measured());
  for (size_t i = 0; i < savings.size(); ++i) savings[i] -= answer.steps_ns[i];
  answer.chance_ns = chance_of_unknown_steps(savings, run.steps_of_run());
  Answer::Bounds bounds{held.step_ns, held.step_ns};
  const auto may_be = [&](double step) { bounds = {std::min(bounds.least_ns, step), std::max(bounds.most_ns, step)}; };
  if (run.has_assumed_edges()) {
    may_be(changes.replayed(Assumed::kStays).step_ns);
    std::optional<double>& unchanged = run.step_without_assumed_ns();
    if (!unchanged) unchanged = Changes(run).replayed(Assumed::kGoes).step_ns;
    const double goes = run.mean_step(run.measured()) - *unchanged + changes.replayed(Assumed::kGoes).step_ns;
    may_be(std::min(goes, bounds.most_ns));  // no wait becomes longer than where it stays
  }
  if (run.has_unknown_waits()) may_be(changes.replayed(Assumed::kNobodyWaits).step_ns);
  const bool rests_on_copies = changes.slow_copies_ns() > bounds.most_ns;
  if (rests_on_copies) may_be(changes.slow_copies_ns());
  const double paced = at_loaders_pace(run, held);
  const bool rests_on_loaders = paced > bounds.most_ns;
  if (rests_on_loaders) may_be(paced);
  if (bounds.most_ns - bounds.least_ns < 1) return answer;
  answer.bounds = bounds;
  answer.rests_on = longest_unknown(run, held.schedule);
  if (bounds.most_ns - bounds.least_ns > kWidestPrice * run.mean_step(run.measured())) {
    answer.reason = too_wide(answer, rests_on_copies, rests_on_loaders);
    answer.step_ns = std::nullopt;
  }
  return answer;
}

}  // namespace tauprof
