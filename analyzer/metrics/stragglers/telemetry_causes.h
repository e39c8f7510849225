// Causes that telemetry decides, step by step, where the times alone look alike.
//
// A rank that computes the same for longer is throttled if its device clock is clearly below that of peers with the
// same device in that step, or lower by at least half of what it computes longer than they do. A rank whose host was
// late suffers from contention if its launching threads waited for a CPU longer than the typical peer's, by at least
// half of what it stalled. Example: in step 7 a rank's host lost 80 ms on the way to collectives. Its threads had
// waited 95 ms for a CPU, its peers' 10, 12 and 30 ms. That is 83 ms more than the typical peer, so the CPU was the
// cause. With 20 ms instead of 95, the thread would have been asleep.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "metrics/statistics/step_selection.h"
#include "metrics/stragglers/cause.h"

namespace tauprof {

class TelemetryCauses {
 public:
  TelemetryCauses(const std::vector<RankTimeline>& ranks, const StepSelection& steps);

  // `rank`: index into the timelines; `step`: index into the analysed steps.
  bool is_throttled(size_t rank, size_t step) const;
  // NVML's bits (throttle_reasons.h), over all steps in which the rank is throttled.
  uint64_t throttle_reasons(size_t rank) const;
  bool lacked_cpu(size_t rank, size_t step, double stall_ns) const;

 private:
  // Readings of all ranks in a step, sorted, so that comparing each with the others is fast for thousands of ranks.
  class Readings {
   public:
    void add(double value) { values_.push_back(value); }
    void sort();
    // The upper median of the readings other than `reading`; none: there are no others.
    std::optional<double> typical_beside(double reading) const;

   private:
    std::vector<double> values_;
  };
  void gather_readings();
  const RankStep* step_of(size_t rank, size_t step) const {
    const auto found = steps_[rank].find(step);
    return found == steps_[rank].end() ? nullptr : found->second;
  }

  const std::vector<RankTimeline>& ranks_;
  std::vector<std::map<size_t, const RankStep*>> steps_;       // by rank and analysed step, of those that it has
  std::map<std::pair<size_t, std::string>, Readings> clocks_, computing_;  // by analysed step and device's name
  std::vector<Readings> cpu_waits_;                            // by analysed step
};

}  // namespace tauprof
