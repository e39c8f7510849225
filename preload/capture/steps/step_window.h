// Which steps are recorded: TAUPROF_START_STEP, TAUPROF_STEPS and TAUPROF_TRIGGER, whose changes wait for the next
// step. Steps begin where TAUPROF_STEP_MARKER says so (nvtx:GLOB, call:FUNCTION), the first mark being step 0; without
// it, where the follower finds one. A marker kernel:GLOB speaks of names that only the analyzer knows: the follower's
// steps are taken then, too.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "capture/settings/configuration.h"
#include "capture/steps/step_follower.h"

namespace tauprof::capture {

class StepWindow {
 public:
  void begin(const Configuration& configuration, uint64_t now);
  // Whether steps have to be followed: not without any of the variables, nor once the last wanted step is over.
  bool follows() const { return follows_; }
  // Whether the first wanted step has not come.
  bool is_before() const { return step_ < first_; }
  // Whether the current step is to be recorded.
  bool is_open() const;
  // A launch is about to be made; true: a step begins with it. Any thread.
  bool take(StepEvent event, bool is_backward_thread) {
    return !is_marked() && follower_.take(event, is_backward_thread);
  }
  // Whether a launch by this function, or a range of this name, marks a step's begin. Any thread.
  bool is_marked_by(const char* function) const;
  bool is_marked_by_range(const char* name, size_t size) const;
  // The caller keeps these from running at once.
  void step_begins(uint64_t now);
  void follow_clock(uint64_t now);
  uint64_t step() const { return step_; }

 private:
  bool is_over() const;
  bool is_marked() const { return function_ != nullptr || range_ != nullptr; }

  // Without any step for so long, the trigger file acts at once.
  static constexpr uint64_t kNoSteps = 10'000'000'000;

  StepFollower follower_;
  const char* trigger_ = "";
  uint64_t first_ = 0;
  uint64_t count_ = 0;              // 0: all
  const char* function_ = nullptr;  // that marks steps
  const char* range_ = nullptr;     // the same, a pattern
  bool has_mark_ = false;           // the first mark has come
  uint64_t step_ = 0;               // the current one
  uint64_t step_began_ = 0;
  bool follows_ = false;
  bool is_wanted_ = true;     // the trigger file exists …
  bool is_triggered_ = true;  // … and did when the step began
};

}  // namespace tauprof::capture
