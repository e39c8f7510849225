// How many steps can have begun, before they are known: too many rather than too few, so that a window that is opened
// by it opens in time.
//
// Where something updates the model, by its kernels' names, at most one step begins behind each update, with the launch
// that follows. Else, where a thread launches backward passes, at most one behind each pass. A graph may hold either.
// Else with each input copy behind other work, or behind each result that is read back or each graph. Where there is
// none of these (a benchmark of collectives), with every few launches.
#pragma once

#include "capture/steps/launch_history.h"
#include "capture/steps/launch_threads.h"

namespace tauprof::capture {

class StepGuess {
 public:
  // A launch that will be made. Whether a step may begin with it.
  bool take(const LaunchFacts& facts, LaunchThread thread);
  // The number of the current step at most, from 0.
  uint64_t step() const;
  // Whether updates or backward passes are counted: there are no more steps than those.
  bool is_sure() const { return has_updates_ || passes_ > 0; }

 private:
  struct Cycle {
    uint64_t count = 0;
    bool is_between = true;  // work has been launched since
    void pass() { count += is_between, is_between = false; }
  };
  bool is_update(const LaunchFacts& facts, LaunchThread thread) const;

  bool has_updates_ = false;
  bool is_behind_update_ = false;
  bool has_pass_ = false;  // a backward thread has launched since the last begin
  bool is_in_pass_ = false;
  uint64_t begins_ = 0;  // behind updates
  uint64_t passes_ = 0;
  Cycle inputs_, readbacks_;
  uint64_t graphs_ = 0;
  uint64_t launches_ = 0;
};

}  // namespace tauprof::capture
