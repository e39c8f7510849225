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

// Visits every operation in the graph's order. `duration_of(operation)` and `delay_of(operation)` give times,
// `edges_of(operation, edges)` those edges that count; operations after nothing are ready at 0. `schedule` may be used
// again, which saves its memory.
template <class Time, class DurationOf, class DelayOf, class EdgesOf = AllEdges>
void replay(const OperationGraph<Time>& graph, DurationOf&& duration_of, DelayOf&& delay_of, Schedule<Time>& schedule,
            EdgesOf&& edges_of = {}) {
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
    Time ready = edges.empty() ? Time(0) : kNotStarted;
    for (const auto& edge : edges) ready = std::max<Time>(ready, schedule[edge.before].end + edge.lag);
    start = ready + delay_of(operation);
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

// Sets each operation's delay so that it starts when it did: start − ready. `measured`: the times of all operations.
template <class Time>
void set_delays(OperationGraph<Time>& graph, const Schedule<Time>& measured) {
  for (OperationId operation = 0; operation < graph.size(); ++operation) {
    const auto edges = graph.edges(operation);
    Time ready = edges.empty() ? Time(0) : std::numeric_limits<Time>::lowest();
    for (const auto& edge : edges) ready = std::max<Time>(ready, measured[edge.before].end + edge.lag);
    graph.set_delay(operation, measured[operation].start - ready);
  }
}

}  // namespace tauprof
