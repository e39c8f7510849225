// Which steps are recorded: TAUPROF_START_STEP, TAUPROF_STEPS and TAUPROF_TRIGGER, whose changes wait for the next
// step. Steps begin where TAUPROF_STEP_MARKER says so (nvtx:GLOB, call:FUNCTION), the first mark being step 0; without
// it, where the recorder finds them. A marker kernel:GLOB speaks of names that only the analyzer knows: the recorder's
// own steps are taken then, too.
//
// Once steps are settled (known_steps.h), recording begins right before the launch that begins a step; it ends when a
// search has confirmed that the last wanted step is over, which is asked for at once. Before, recording begins when the
// first wanted step can have begun at the earliest (step_guess.h), and does not end. What was recorded too much, the
// analyzer leaves out, because the log says which step began when.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "capture/settings/configuration.h"
#include "capture/steps/known_steps.h"
#include "capture/steps/launch_history.h"
#include "capture/steps/launch_threads.h"
#include "capture/steps/step_finder.h"
#include "capture/steps/step_guess.h"
#include "capture/ticks.h"
#include "log/writer.h"

namespace tauprof::capture {

// The caller keeps all of it from running at once, except where it says otherwise.
class StepWindow {
 public:
  void begin(const Configuration& configuration, uint64_t now);
  // Whether launches have to be followed: not without any of the variables, nor once nothing can change any more.
  bool follows() const { return follows_; }
  // Whether the first wanted step has not come.
  bool is_before() const { return step_at_most() < first_; }
  // Whether the current step is to be recorded.
  bool is_open() const;
  // Whether that may come with the next step: what takes its time to switch on had better begin now.
  bool is_near() const { return follows_ && step_at_most() + 1 >= first_ && !is_over(); }
  uint64_t step() const { return is_marked() ? marked_ : known_.number(); }
  // Whether marks alone count.
  bool is_marked() const { return function_ != nullptr || range_ != nullptr; }

  // A launch is about to be made. Whether is_open() may have changed.
  bool take(const LaunchFacts& facts, uint64_t ticks, uint64_t now, uint64_t& position);
  // Without the lock.
  void returned(uint64_t position, uint64_t ticks) { history_.returned(position, ticks); }

  // Whether a launch by this function, or a range of this name, marks a step's begin. Without the lock.
  bool is_marked_by(const char* function) const;
  bool is_marked_by_range(const char* name, size_t size) const;
  void take_mark(uint64_t now);

  void follow_clock(uint64_t now);
  // Whether the writer thread should search at once. Without the lock.
  bool is_asked() const { return __atomic_load_n(&is_asked_, __ATOMIC_ACQUIRE); }
  // The writer thread: whether to search now; the search, without the lock; and what comes of what was found.
  bool wants_search(uint64_t now);
  // When nothing more will be launched: if the numbers are not settled yet.
  bool wants_last_search();
  bool search(uint64_t now) { return finder_.search(history_, now); }
  void install(uint64_t now);
  // The begins of steps around those that were wanted, once. The writer thread, when launches are not followed any
  // more.
  void write_begins(log::Writer& writer, const TickScale& scale);

 private:
  bool is_over() const;
  bool is_unconfirmed() const;
  uint64_t step_at_most() const;
  void step_begins(uint64_t now);
  void see_whether_done();

  // Without any step for so long, the trigger file acts at once.
  static constexpr uint64_t kNoSteps = 10'000'000'000;

  LaunchHistory history_;
  StepGuess guess_;
  KnownSteps known_;
  StepFinder finder_;
  const char* trigger_ = "";
  uint64_t first_ = 0;
  uint64_t count_ = 0;              // 0: all
  const char* function_ = nullptr;  // that marks steps
  const char* range_ = nullptr;     // the same, a pattern
  bool has_mark_ = false;           // the first mark has come
  uint64_t marked_ = 0;             // the current step, by marks
  uint64_t step_began_ = 0;
  bool follows_ = false;
  bool was_open_ = false;
  bool is_overdue_ = false;   // the current step is longer than all before: the next may have begun unseen
  bool is_asked_ = false;     // for a search, without delay
  bool has_written_ = false;  // begins of steps
  bool is_wanted_ = true;     // the trigger file exists …
  bool is_triggered_ = true;  // … and did when the step began
};

}  // namespace tauprof::capture
