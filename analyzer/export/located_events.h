// Where the events of a rank lie: in which of its steps, and on the run's clock.
#pragma once

#include <algorithm>
#include <limits>
#include <string>

#include "export/run_writer.h"
#include "metrics/collectives/communicator_name.h"
#include "model/operation_names.h"

namespace tauprof {

// The step in whose device window a span starts, as the report counts kernels; null: none.
inline const RankStep* step_on_device(const RankTimeline& rank, Nanoseconds start) {
  auto after = std::partition_point(rank.steps.begin(), rank.steps.end(),
                                    [&](const RankStep& step) { return !step.device || step.device->end <= start; });
  return after != rank.steps.end() && after->device->start <= start ? &*after : nullptr;
}

// The step in whose host window a call starts; null: none.
inline const RankStep* step_on_host(const RankTimeline& rank, Nanoseconds start) {
  auto after = std::partition_point(rank.steps.begin(), rank.steps.end(),
                                    [&](const RankStep& step) { return step.host.end <= start; });
  return after != rank.steps.end() && after->host.start <= start ? &*after : nullptr;
}

// From the start of the first of these steps to the end of the last, on the host and on the device; empty: it has none.
inline Interval time_of_steps(const RankTimeline& rank, const StepSelection& steps) {
  Interval time{std::numeric_limits<Nanoseconds>::max(), std::numeric_limits<Nanoseconds>::min()};
  for (const RankStep& step : rank.steps) {
    if (!steps.has(step.number)) continue;
    for (const Interval& window : {step.host, step.device.value_or(step.host)})
      time = {std::min(time.start, window.start), std::max(time.end, window.end)};
  }
  return time;
}

// On the run's clock, from the earliest time on which any rank's clock starts: never negative.
inline Nanoseconds origin_of(const RunView& run) {
  Nanoseconds origin = 0;
  for (const RankTimeline& rank : run.ranks) origin = std::min(origin, rank.run_clock.to_run(0));
  return origin;
}

inline std::string communicator_of(const RankTimeline& rank, const RankCollective& collective) {
  const auto named = rank.communicator_names.find(collective.communicator);
  return communicator_name(named == rank.communicator_names.end() ? std::string() : named->second,
                           collective.communicator);
}

}  // namespace tauprof
