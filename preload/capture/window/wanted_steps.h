// Which steps are recorded: TAUPROF_START_STEP, TAUPROF_STEPS and TAUPROF_TRIGGER. A change of the trigger file takes
// effect at the next step. It also counts the steps for TAUPROF_EVERY (timed_steps.h).
//
// Steps are counted by the user's marks (TAUPROF_STEP_MARKER: nvtx:GLOB, call:FUNCTION; the first mark is step 0), else
// by what PyTorch says (framework_steps.h). Recording starts with the end of the step before the first wanted one, and
// ends with the first pass after the last one, because what lies in between may belong to either.
//
// Nobody counts the steps of another program, or those that start with a kernel (kernel:GLOB), while it runs. It is
// recorded from its start, the log keeps the oldest (TAUPROF_ON_FULL=stop), and the analyzer leaves out the other
// steps.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "capture/settings/configuration.h"
#include "capture/window/framework_steps.h"

namespace tauprof::capture {

// The caller holds a lock around every function, except where the comment says otherwise.
class WantedSteps {
 public:
  // `is_asked`: whether PyTorch is there and will be asked.
  void start(const Configuration& configuration, bool is_asked, uint64_t now);
  // Whether marks must be followed. False without any of the variables, and once nothing can change any more.
  bool follows() const { return follows_; }
  bool follows_calls() const { return follows_ && function_ != nullptr; }
  // Whether wanted steps are to be counted, and nobody does.
  bool is_uncounted() const { return is_uncounted_ && (first_ != 0 || count_ != 0); }
  // Whether steps are to be counted for TAUPROF_EVERY, and nobody does.
  bool are_blocks_uncounted() const { return is_uncounted_ && has_blocks_; }
  // Whether only some steps are wanted, as long as that may change what is recorded.
  bool has_window() const { return first_ != 0 || count_ != 0 || *trigger_ != '\0'; }
  // Whether what happens now may belong to the step before, too.
  bool is_between() const { return !is_marked_by_user() && framework_.is_between(); }
  // Whether the first wanted step is still to come.
  bool is_before() const { return !is_uncounted_ && most_step() < first_; }
  // Whether the current step is to be recorded.
  bool is_open() const;
  // Whether the next step may be recorded. What is slow to switch on should be switched on now.
  bool is_near() const { return follows_ && (is_uncounted_ || most_step() + 1 >= first_) && !is_over(); }
  uint64_t step() const { return is_marked_by_user() ? marked_ : framework_.number(); }
  // The number of the step in progress, which will not fall. False: there is none yet.
  bool certain_step(uint64_t& number) const {
    if (!is_marked_by_user()) return !is_uncounted_ && framework_.certain_number(number);
    number = marked_;
    return has_mark_;
  }

  // Whether a call of this function, or a range of this name, marks the start of a step. Without the lock.
  bool is_marked_by(const char* function) const;
  bool is_marked_by_range(const char* name, size_t size) const;
  void take_mark(uint64_t now);
  // Applies an event of PyTorch: `change` gets the FrameworkSteps.
  template <class Change>
  void take_from_framework(uint64_t now, Change change) {
    if (is_marked_by_user() || is_marked_by_kernel_) return;
    const uint64_t before = step();
    change(framework_);
    if (framework_.any()) is_uncounted_ = false;
    if (step() != before) start_step(now);
    see_whether_done();
  }
  // PyTorch cannot be asked after all.
  void give_up_framework();
  // Once a step, and then in its midst: its number, for the log.
  bool take_number(uint64_t thread, Pass pass, uint64_t& number);

  void follow_clock(uint64_t now);

 private:
  bool is_marked_by_user() const { return function_ != nullptr || range_ != nullptr; }
  uint64_t most_step() const { return is_marked_by_user() ? marked_ : framework_.most_number(); }
  uint64_t least_step() const { return is_marked_by_user() ? marked_ : framework_.least_number(); }
  bool is_over() const;
  void start_step(uint64_t now);
  void see_whether_done();

  // After this time without a step, the trigger file takes effect at once.
  static constexpr uint64_t kNoSteps = 10'000'000'000;

  FrameworkSteps& framework_ = framework_steps;
  const char* trigger_ = "";
  uint64_t first_ = 0;
  uint64_t count_ = 0;                // 0: all
  const char* function_ = nullptr;    // the function that marks steps
  const char* range_ = nullptr;       // or the pattern of the ranges that do
  bool is_marked_by_kernel_ = false;  // or kernels do, whose names only the analyzer knows
  bool has_mark_ = false;             // the first mark was seen
  uint64_t marked_ = 0;               // the current step, by the user's marks
  uint64_t step_started_ = 0;
  bool has_blocks_ = false;  // TAUPROF_EVERY wants the number of every step
  bool is_uncounted_ = false;
  bool follows_ = false;
  bool was_open_ = false;
  bool is_wanted_ = true;     // the trigger file exists …
  bool is_triggered_ = true;  // … and did when the step started
};

}  // namespace tauprof::capture
