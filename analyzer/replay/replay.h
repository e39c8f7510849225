// When every operation starts and ends, given how long each lasts and how late it starts (operation_graph.h).
#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include "replay/operation_graph.h"

namespace tauprof {

template <class Time>
struct Schedule {
  LargeArray<Time> start;  // by operation
  LargeArray<Time> end;
};

// The meetings of a replay: which members have started, and when the last of them did.
template <class Time>
class Meetings {
 public:
  static constexpr Time kNotStarted = std::numeric_limits<Time>::lowest();

  Meetings(const OperationGraph<Time>& graph, Schedule<Time>& schedule)
      : graph_(graph), schedule_(schedule), latest_(graph.meeting_count(), kNotStarted), started_(latest_.size()) {}

  // `operation` has started. Sets the ends of all members whose end is known by that.
  template <class DurationOf>
  void start(OperationId operation, DurationOf&& duration_of) {
    const uint32_t meeting = graph_.meeting(operation);
    const auto members = graph_.members(meeting);
    const OperationId first = members.front();
    const Time start = schedule_.start[operation];
    latest_[meeting] = std::max(latest_[meeting], start);
    const bool is_complete = ++started_[meeting] == members.size();
    switch (graph_.kind(meeting)) {
      case MeetingKind::kAll:
        if (is_complete) end(members, latest_[meeting], duration_of);
        break;
      case MeetingKind::kFromFirst:
        if (operation == first)
          end(members, start, duration_of);
        else if (schedule_.start[first] != kNotStarted)
          end({&operation, 1}, schedule_.start[first], duration_of);
        break;
      case MeetingKind::kToFirst:
        if (operation != first) end({&operation, 1}, start, duration_of);
        if (is_complete) end({&first, 1}, latest_[meeting], duration_of);
        break;
    }
  }

 private:
  // Those of them that have started end: they begin to move data at `begin`, or when they come.
  template <class DurationOf>
  void end(std::span<const OperationId> operations, Time begin, DurationOf&& duration_of) {
    for (const OperationId operation : operations)
      if (const Time start = schedule_.start[operation]; start != kNotStarted)
        schedule_.end[operation] = std::max(start, begin) + duration_of(operation);
  }

  const OperationGraph<Time>& graph_;
  Schedule<Time>& schedule_;
  std::vector<Time> latest_;
  std::vector<uint32_t> started_;
};

// Visits every operation once, in the graph's order. `duration_of(operation)` and `delay_of(operation)` give times;
// operations after nothing are ready at 0. `schedule` may be used again, which saves its memory.
template <class Time, class DurationOf, class DelayOf>
void replay(const OperationGraph<Time>& graph, DurationOf&& duration_of, DelayOf&& delay_of, Schedule<Time>& schedule) {
  constexpr Time kNotStarted = Meetings<Time>::kNotStarted;
  schedule.start.assign(graph.size(), kNotStarted);
  schedule.end.assign(graph.size(), kNotStarted);
  Meetings<Time> meetings(graph, schedule);
  for (const OperationId operation : graph.order()) {
    const auto edges = graph.edges(operation);
    Time ready = edges.empty() ? Time(0) : kNotStarted;
    for (const auto& edge : edges) ready = std::max(ready, schedule.end[edge.before] + edge.lag);
    schedule.start[operation] = ready + delay_of(operation);
    if (graph.meeting(operation) == kNoMeeting)
      schedule.end[operation] = schedule.start[operation] + duration_of(operation);
    else
      meetings.start(operation, duration_of);
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
    for (const auto& edge : edges) ready = std::max(ready, measured.end[edge.before] + edge.lag);
    graph.set_delay(operation, measured.start[operation] - ready);
  }
}

}  // namespace tauprof
