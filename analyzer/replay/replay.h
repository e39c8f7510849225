// When every operation starts and ends, given how long each lasts and how late it starts (operation_graph.h).
#pragma once

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "replay/operation_graph.h"

namespace tauprof {

template <class Time>
struct Scheduled {
  Time start;
  Time end;
  bool operator==(const Scheduled&) const = default;
};
template <class Time>
using Schedule = std::vector<Scheduled<Time>>;  // by operation

// Every operation waits for all of its edges.
struct AllEdges {
  template <class Edges>
  Edges operator()(OperationId, Edges edges) const {
    return edges;
  }
};

// No operation starts earlier than its lags say.
struct NoLead {
  int32_t operator()(OperationId) const { return 0; }
};

// Visits every operation in the graph's order. `duration_of(operation)` and `delay_of(operation)` give times,
// `edges_of(operation, edges)` those edges that count, `lead_of(operation)` how much shorter all lags to it are;
// operations after nothing are ready at 0. `schedule` may be used again, which saves its memory.
template <class Time, class DurationOf, class DelayOf, class EdgesOf = AllEdges, class LeadOf = NoLead>
void replay(const OperationGraph<Time>& graph, DurationOf&& duration_of, DelayOf&& delay_of, Schedule<Time>& schedule,
            EdgesOf&& edges_of = {}, LeadOf&& lead_of = {}) {
  constexpr Time kNotStarted = std::numeric_limits<Time>::lowest();
  schedule.assign(graph.size(), {kNotStarted, kNotStarted});
  std::vector<std::pair<Time, uint32_t>> meetings(graph.meeting_count(), {kNotStarted, 0});  // latest start, started
  for (const OperationId operation : graph.order()) {
    Time& start = schedule[operation].start;
    if (start != kNotStarted) {  // all that it needs have started
      Time begin = start;
      for (const auto& need : graph.needs(operation)) begin = std::max(begin, schedule[need.second].start);
      schedule[operation].end = begin + duration_of(operation);
      continue;
    }
    const auto edges = edges_of(operation, graph.edges(operation));
    const Time delay = delay_of(operation);
    const uint32_t delayed = graph.delayed_edge(operation);
    Time ready = edges.empty() ? Time(0) : kNotStarted;
    for (uint32_t i = 0; i < edges.size(); ++i)
      ready = std::max<Time>(ready, schedule[edges[i].before].end + edges[i].lag + (i == delayed ? delay : Time(0)));
    start = ready + (delayed < edges.size() ? Time(0) : delay) - lead_of(operation);
    if (graph.has_needs(operation)) continue;
    const uint32_t meeting = graph.meeting(operation);
    if (meeting == kNoMeeting) {
      schedule[operation].end = start + duration_of(operation);
      continue;
    }
    auto& [latest, started] = meetings[meeting];
    latest = std::max(latest, start);
    if (++started == graph.members(meeting).size())
      for (const OperationId member : graph.members(meeting)) schedule[member].end = latest + duration_of(member);
  }
}

// Replays with the graph's own durations and delays.
template <class Time>
void replay(const OperationGraph<Time>& graph, Schedule<Time>& schedule) {
  replay(
      graph, [&](OperationId operation) { return graph.duration(operation); },
      [&](OperationId operation) { return graph.delay(operation); }, schedule);
}

// Sets each operation's delay so that it starts when it did. `measured`: the times of all operations. Where the delay
// belongs to one edge, the others had let the operation go by then, so their lags become no longer than that.
template <class Time>
void set_delays(OperationGraph<Time>& graph, const Schedule<Time>& measured) {
  using Lag = typename OperationGraph<Time>::Lag;
  for (OperationId operation = 0; operation < graph.size(); ++operation) {
    const auto edges = graph.edges(operation);
    const Time start = measured[operation].start;
    const auto since = [&](const auto& edge) { return start - measured[edge.before].end; };
    Time delay = edges.empty() ? start : std::numeric_limits<Time>::max();
    for (const auto& edge : edges) delay = std::min<Time>(delay, since(edge) - edge.lag);
    // Times that contradict each other so much tell nothing of lags.
    if (delay <= std::numeric_limits<Lag>::lowest()) graph.set_delayed_edge(operation, kAllEdges);
    const uint32_t delayed = graph.delayed_edge(operation);
    graph.set_delay(operation, delayed < edges.size() ? since(edges[delayed]) - edges[delayed].lag : delay);
    if (delayed >= edges.size()) continue;
    for (uint32_t i = 0; i < edges.size(); ++i)
      if (i != delayed && edges[i].lag > since(edges[i]))
        graph.set_lag(operation, i, static_cast<Lag>(since(edges[i])));
  }
}

}  // namespace tauprof
