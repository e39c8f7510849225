// The phase that a thread's ranges give to each instant: that of the innermost range with a phase, but a forward pass
// inside a backward pass computes again what was freed, so it is backward. A step function over time, for lookups that
// move forward.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "model/process_trace.h"
#include "phases/range_phases.h"

namespace tauprof {

class PhaseTrack {
 public:
  struct Change {
    Nanoseconds time;
    std::optional<Phase> phase;  // from here on
  };

  PhaseTrack() = default;
  explicit PhaseTrack(std::vector<Change> changes) : changes_(std::move(changes)) {}
  // Ranges of one thread, by start, then longest first.
  PhaseTrack(const HostRange* begin, const HostRange* end, RangePhases& phases);

  bool is_empty() const { return changes_.empty(); }
  bool has(Phase phase) const;  // at any time
  const std::vector<Change>& changes() const { return changes_; }

  // Lookups with rising times cost O(1) each.
  class Cursor {
   public:
    explicit Cursor(const PhaseTrack& track) : track_(&track) {}
    std::optional<Phase> at(Nanoseconds time);

   private:
    const PhaseTrack* track_;
    size_t next_ = 0;
  };

 private:
  std::vector<Change> changes_;
};

}  // namespace tauprof
