// An upper bound on the steps that have started, while the steps are unknown. It errs on the high side, so that a
// window that opens by it opens in time.
//
// If kernels' names show updates, at most one step starts after each update, with the next launch. Else, if a thread
// launches backward passes, at most one starts after each pass. A graph may hold either. Else a step may start with
// each input copy after other work, or after each result that is read back or each graph. With none of these (a
// benchmark of collectives), a step may start every few launches.
#pragma once

#include "capture/steps/launch_history.h"
#include "capture/steps/launch_threads.h"

namespace tauprof::capture {

class StepGuess {
 public:
  // A launch about to be made. Returns whether a step may start with it.
  bool take(const LaunchFacts& facts, LaunchThread thread);
  // The highest number that the current step can have, from 0.
  uint64_t step() const;
  // Whether updates or backward passes are counted: there cannot be more steps.
  bool is_sure() const { return has_updates_ || passes_ > 0; }

 private:
  struct Cycle {
    uint64_t count = 0;
    bool is_between = true;  // work was launched since the last one
    void pass() { count += is_between, is_between = false; }
  };
  bool is_update(const LaunchFacts& facts, LaunchThread thread) const;

  bool has_updates_ = false;
  bool is_after_update_ = false;
  bool has_pass_ = false;  // a backward thread has launched since the last update
  bool is_in_pass_ = false;
  uint64_t starts_ = 0;  // after updates
  uint64_t passes_ = 0;
  Cycle inputs_, readbacks_;
  uint64_t graphs_ = 0;
  uint64_t launches_ = 0;
};

}  // namespace tauprof::capture
