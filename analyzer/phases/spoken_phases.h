// A thread's phase at each instant by its marks and ranges, and where they leave it open (marked_phases.h).
//
// Ranges take the place of marks where the program has none, provided that some thread which launches work has ranges
// for both passes: then the trace says where passes start and end, and order need not tell.
#pragma once

#include <limits>
#include <vector>

#include "model/process_trace.h"
#include "phases/phase_rules.h"
#include "phases/range_phases.h"

namespace tauprof {

struct SpokenPhase {
  Nanoseconds start = 0;  // it lasts until the next one starts
  Phase phase = Phase::kOther;
  bool is_open = false;         // the calls there decide; `phase` is that of all others
  bool is_after_fetch = false;  // of an open one: a batch was fetched right before
  bool is_named = false;        // of an open one: a range names something that is no phase
};

// Whether marks or ranges say where forward and backward passes start and end.
bool has_named_passes(const ProcessTrace& trace, const PhaseRules& rules);

class SpokenPhases {
 public:
  SpokenPhases(const ProcessTrace& trace, const PhaseRules& rules);

  // By start, for all time.
  std::vector<SpokenPhase> of_thread(uint16_t thread) const;

  static constexpr Nanoseconds kBeforeAll = std::numeric_limits<Nanoseconds>::min();
  static constexpr Nanoseconds kForever = std::numeric_limits<Nanoseconds>::max();

 private:
  struct Spoken {
    Interval time;
    Phase phase;
    bool is_loss = false;
    bool is_fetch = false;
    bool is_named = false;
  };
  struct Thread {
    std::vector<Spoken> spoken;                 // by start, then longest first
    std::vector<Interval> losses, evaluations;  // by start, disjoint
    std::vector<Interval> named;                // by start: of ranges that name something that is no phase
    Nanoseconds backward_until = kBeforeAll;    // of ranges
    bool is_autograds = false;
  };

  void add_marks(const std::vector<FrameworkMark>& marks);
  void add_ranges(const ProcessTrace& trace, RangePhases& phases);
  static void add_range(Interval range, Phase phase, Thread& thread);
  static void add_named(Thread& thread);

  std::vector<Thread> threads_;
};

}  // namespace tauprof
