// What a thread's marks and ranges say of its phase at each instant, and where they leave it open (marked_phases.h).
#pragma once

#include <limits>
#include <vector>

#include "model/process_trace.h"
#include "phases/phase_rules.h"

namespace tauprof {

struct SpokenPhase {
  Nanoseconds start = 0;  // it lasts until the next one starts
  Phase phase = Phase::kOther;
  bool is_open = false;         // the calls there decide; `phase` is that of all others
  bool is_after_fetch = false;  // of an open one: a batch was fetched right before
};

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
  };
  struct Thread {
    std::vector<Spoken> spoken;                 // by start, then longest first
    std::vector<Interval> losses, evaluations;  // by start, disjoint
    bool is_autograds = false;
  };

  void add_marks(const ProcessTrace& trace);
  void add_ranges(const ProcessTrace& trace, const PhaseRules& rules);
  static void add_range(Interval range, Phase phase, Thread& thread);

  std::vector<Thread> threads_;
};

}  // namespace tauprof
