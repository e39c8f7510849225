// Which steps are recorded: TAUPROF_START_STEP, TAUPROF_STEPS and TAUPROF_TRIGGER. A change of the trigger file takes
// effect at the next step. Steps start at the marks of TAUPROF_STEP_MARKER (nvtx:GLOB, call:FUNCTION; the first mark is
// step 0), or without it where the recorder finds them. The recorder also finds them itself for kernel:GLOB, because
// only the analyzer knows those names.
//
// Where PyTorch says what it does, its own updates count (step_rounds.h), from the first round on, whatever the search
// for steps had found. Recording starts with the end of the round before the first wanted step, and ends with the first
// pass after the last one, because what lies in between may belong to either step.
//
// Once the steps are settled (known_steps.h), recording starts right before the launch that starts a step. It ends when
// a search confirms that the last wanted step is over; that search is requested at once. Before they are settled,
// recording starts when the first wanted step can have started at the earliest (step_guess.h), and does not end. The
// analyzer leaves out what was recorded in excess, because the log says when each step started.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "capture/base/ticks.h"
#include "capture/settings/configuration.h"
#include "capture/steps/known_steps.h"
#include "capture/steps/launch_history.h"
#include "capture/steps/launch_threads.h"
#include "capture/steps/step_finder.h"
#include "capture/steps/step_guess.h"
#include "log/writer.h"
#include "step_rounds/step_rounds.h"

namespace tauprof::capture {

// The caller holds a lock around every function, except where the comment says otherwise.
class WantedSteps {
 public:
  void start(const Configuration& configuration, uint64_t now);
  // Whether launches must be followed. False without any of the variables, and once nothing can change any more.
  bool follows() const { return follows_; }
  // Whether the first wanted step is still to come.
  bool is_before() const { return step_at_most() < first_; }
  // Whether the current step is to be recorded.
  bool is_open() const;
  // Whether the next step may be recorded. What is slow to switch on should be switched on now.
  bool is_near() const { return follows_ && step_at_most() + 1 >= first_ && !is_over(); }
  uint64_t step() const { return is_marked() ? marked_ : known_.number(); }
  // Whether marks alone say where steps start.
  bool is_marked() const { return is_marked_by_user() || has_rounds_; }

  // A launch is about to be made. Returns whether is_open() may have changed.
  bool take(const LaunchFacts& facts, uint64_t ticks, uint64_t now, uint64_t& position);
  // Without the lock.
  void returned(uint64_t position, uint64_t ticks) { history_.returned(position, ticks); }

  // Whether a launch by this function, or a range of this name, marks the start of a step. Without the lock.
  bool is_marked_by(const char* function) const;
  bool is_marked_by_range(const char* name, size_t size) const;
  void take_mark(uint64_t now);
  // What PyTorch does on `thread`, a number of the caller's. Only the thread that updates first counts.
  void take_optimizer(uint32_t optimizer) { rounds_.construct(optimizer); }
  // These return whether is_open() may have changed.
  bool take_update(uint64_t thread, uint32_t optimizer, uint64_t now);
  bool take_pass(uint64_t thread);
  // Once a step: its number, for the log.
  bool take_number(uint64_t thread, uint64_t& number);

  void follow_clock(uint64_t now);
  // Whether the writer thread should search at once. Without the lock.
  bool is_asked() const { return __atomic_load_n(&is_asked_, __ATOMIC_ACQUIRE); }
  // The writer thread, in this order: whether to search now; the search itself, without the lock; taking over its
  // steps.
  bool wants_search(uint64_t now);
  // In place of wants_search() when nothing more will be launched: whether the numbers are still not settled.
  bool wants_last_search();
  bool search(uint64_t now) { return finder_.search(history_, now); }
  void install(uint64_t now);
  // Writes the starts of the wanted steps and their neighbours, once. The writer thread, when launches are no longer
  // followed.
  void write_step_starts(log::Writer& writer, const TickScale& scale);

 private:
  bool is_marked_by_user() const { return function_ != nullptr || range_ != nullptr; }
  bool is_over() const;
  bool is_unconfirmed() const;
  uint64_t step_at_most() const;
  void start_step(uint64_t now);
  void see_whether_done();

  // After this time without a step, the trigger file takes effect at once.
  static constexpr uint64_t kNoSteps = 10'000'000'000;

  LaunchHistory history_;
  StepGuess guess_;
  KnownSteps known_;
  StepFinder finder_;
  const char* trigger_ = "";
  uint64_t first_ = 0;
  uint64_t count_ = 0;              // 0: all
  const char* function_ = nullptr;  // the function that marks steps
  const char* range_ = nullptr;     // or the pattern of the ranges that do
  bool has_mark_ = false;           // the first mark was seen
  uint64_t marked_ = 0;             // the current step, by marks
  StepRounds rounds_;
  uint64_t updating_thread_ = 0;
  bool is_between_steps_ = false;  // a round is complete, and no pass of the next has begun
  bool has_rounds_ = false;        // steps are counted by rounds
  bool is_number_wanted_ = false;
  uint64_t step_started_ = 0;
  bool follows_ = false;
  bool was_open_ = false;
  bool is_overdue_ = false;   // the current step is longer than all before it: the next may have started unseen
  bool is_asked_ = false;     // a search was requested, without delay
  bool has_written_ = false;  // the starts of steps
  bool is_wanted_ = true;     // the trigger file exists …
  bool is_triggered_ = true;  // … and did when the step started
};

}  // namespace tauprof::capture
