// Device memory of each rank over the analysed steps: peak, growth, allocations, and what the device has.
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "metrics/statistics/step_selection.h"
#include "model/rank_timeline.h"

namespace tauprof {

struct MemoryAtStep {
  int64_t step = 0;
  int64_t bytes = 0;  // in use at its end
};

struct MemoryOfRank {
  int32_t rank = -1;
  int64_t peak_bytes = 0;        // over the whole recording
  BytesByPhase peak_by_phase{};  // of the peak, by the phase whose calls allocated it
  bool is_lower_bound = false;
  // Over the second half of the analysed steps, per step; none: too few steps. Those of the phases are estimated each
  // by itself, and need not sum to it.
  std::optional<double> growth_per_step;
  PerPhase<double> growth_by_phase{};
  bool is_growing = false;          // in most of these steps, and not by little
  double allocations_per_step = 0;  // calls, in the same steps; of fewer, in all
  double frees_per_step = 0;
  std::optional<int64_t> device_bytes;
  std::vector<MemoryAtStep> steps;  // analysed
  // As PyTorch's allocator says of the whole run.
  std::optional<int64_t> peak_allocated_bytes, peak_reserved_bytes, allocator_retries;

  // Share of the reserved memory that held nothing, at the peaks of both: fragmentation, and rounding.
  std::optional<double> unused_share() const {
    if (!peak_allocated_bytes || peak_reserved_bytes.value_or(0) <= 0) return std::nullopt;
    return 1 - static_cast<double>(*peak_allocated_bytes) / static_cast<double>(*peak_reserved_bytes);
  }
  // The most that is known to have been taken.
  int64_t most_bytes() const { return std::max(peak_bytes, peak_reserved_bytes.value_or(0)); }
  std::optional<double> share_of_device() const {
    if (!device_bytes || most_bytes() == 0) return std::nullopt;
    return static_cast<double>(most_bytes()) / static_cast<double>(*device_bytes);
  }
};

// Those of which anything is known.
std::vector<MemoryOfRank> memory_table(const std::vector<const RankTimeline*>& ranks, const StepSelection& steps);

}  // namespace tauprof
