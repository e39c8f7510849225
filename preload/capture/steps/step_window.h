// Which steps are recorded: TAUPROF_START_STEP, TAUPROF_STEPS and TAUPROF_TRIGGER, whose changes wait for the next
// step.
#pragma once

#include <stdint.h>

#include "capture/settings/configuration.h"
#include "capture/steps/step_follower.h"

namespace tauprof::capture {

class StepWindow {
 public:
  void begin(const Configuration& configuration, uint64_t now);
  // Whether steps have to be followed: not without any of the variables, nor once the last wanted step is over.
  bool follows() const { return follows_; }
  // Whether the current step is to be recorded.
  bool is_open() const;
  // A launch is about to be made; true: a step begins with it. Any thread.
  bool take(StepEvent event, bool is_backward_thread) { return follower_.take(event, is_backward_thread); }
  // The caller keeps these from running at once.
  void step_begins(uint64_t now);
  void follow_clock(uint64_t now);

 private:
  bool is_over() const;

  // Without any step for so long, the trigger file acts at once.
  static constexpr uint64_t kNoSteps = 10'000'000'000;

  StepFollower follower_;
  const char* trigger_ = "";
  uint64_t first_ = 0;
  uint64_t count_ = 0;  // 0: all
  uint64_t step_ = 0;   // the current one
  uint64_t step_began_ = 0;
  bool follows_ = false;
  bool is_wanted_ = true;     // the trigger file exists …
  bool is_triggered_ = true;  // … and did when the step began
};

}  // namespace tauprof::capture
