// Host and device time of each phase, over ranks and steps.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "metrics/statistics/statistics.h"
#include "metrics/statistics/step_selection.h"
#include "model/rank_timeline.h"

namespace tauprof {

struct PhaseMetrics {
  std::string_view name;
  bool is_derived = false;             // made of other phases, so part of no sum
  Statistics host;                     // over ranks and steps
  Statistics issuing;                  // of the host, what it was not blocked behind the device …
  Statistics blocked;                  // … and what it was; both of ranks with device times
  Statistics device;                   // the union of what the phase launched; of ranks with device times
  std::optional<double> host_share;    // of the host windows
  std::optional<double> device_share;  // of the device windows
  Statistics host_of_ranks;            // over ranks, of each rank's mean
  Statistics device_of_ranks;
};

// The phases in their order, then those made of several: backward_step and total.
std::vector<PhaseMetrics> phase_table(const std::vector<const RankTimeline*>& ranks, const StepSelection& steps);

}  // namespace tauprof
