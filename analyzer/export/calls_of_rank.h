// Which of its process's calls are a rank's: of a process with several devices, those made while its device was
// current, as the report counts calls, and those that launched work there. Of those, the ones that are shown, and the
// launches of work that is.
#pragma once

#include <cstdint>
#include <vector>

#include "export/located_events.h"
#include "export/run_writer.h"

namespace tauprof {

class CallsOfRank {
 public:
  explicit CallsOfRank(const RankView& rank) : rank_(rank), launches_(rank.trace.calls.size()) {
    for (const DeviceSpan& span : rank.device.spans)
      if (span.call != kNoIndex && rank.shows(span.start, span.end)) launches_[span.call] = true;
  }

  bool has(uint32_t call) const {
    const HostCall& made = rank_.trace.calls[call];
    const bool is_its = rank_.trace.devices.size() == 1 || made.device == rank_.device.device;
    return launches_[call] || (is_its && rank_.shows(made.start, made.end));
  }
  // Whether work on the rank's device came of it.
  bool launches(uint32_t call) const { return launches_[call]; }
  // The step that it belongs to; null: none that the rank has.
  const RankStep* step_of(const HostCall& call) const {
    if (call.step == kNoStep) return nullptr;
    return step_on_host(rank_.timeline, rank_.trace.steps[static_cast<size_t>(call.step)].start);
  }

 private:
  const RankView& rank_;
  std::vector<bool> launches_;
};

}  // namespace tauprof
