// Causes that telemetry decides, step by step, where the times alone look alike.
//
// A rank that computes the same for longer, under a device clock clearly below that of its peers with the same device
// in that step, is throttled. A rank whose host was late suffers from contention where its launching threads had waited
// for a CPU so much longer than the typical peer's that this explains at least half of the lateness. Example: in step 7
// a rank's host came 80 ms late to the collectives; its threads had waited 95 ms for a CPU, those of its peers 10, 12
// and 30 ms: 83 ms more than the typical peer. It was the CPU. Had it been 20 ms, the thread would have slept.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "metrics/step_selection.h"

namespace tauprof {

class TelemetryCauses {
 public:
  TelemetryCauses(const std::vector<RankTimeline>& ranks, const StepSelection& steps);

  // `rank`: index into the timelines; `step`: index into the analysed steps.
  bool is_throttled(size_t rank, size_t step) const;
  // Of all steps in which it is throttled: bits of NVML's (throttle_reasons.h).
  uint64_t throttle_reasons(size_t rank) const;
  bool lacked_cpu(size_t rank, size_t step, double lateness_ns) const;

 private:
  // What all ranks read in a step, from which each is compared with the others in no time: 1,024 ranks are common.
  class Readings {
   public:
    void add(double value) { values_.push_back(value); }
    void sort();
    // The upper median of the others' than this one's; none: there are no others.
    std::optional<double> typical_beside(double own) const;

   private:
    std::vector<double> values_;
  };
  void gather_readings();
  const RankStep* step_of(size_t rank, size_t step) const { return steps_[rank][step]; }

  const std::vector<RankTimeline>& ranks_;
  std::vector<std::vector<const RankStep*>> steps_;            // by rank and analysed step; null: it has none
  std::map<std::pair<size_t, std::string>, Readings> clocks_;  // by analysed step and device's name
  std::vector<Readings> cpu_waits_;                            // by analysed step
};

}  // namespace tauprof
