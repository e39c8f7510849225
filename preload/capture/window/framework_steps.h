// The number of the step that a program is in, from what PyTorch says while it runs (framework/torch_marks.h).
//
// docs/metrics.md defines the steps. The analyzer, which sees the whole log, counts them exactly; this class cannot
// wait for what comes later. It counts by the best that it has met so far, each from 0:
//
//   updates   the rounds of all optimizers (step_rounds.h). What follows the last update with more backward passes than
//             lie between two others is counted as hidden updates are
//   passes    hidden updates (a compiled step): clearing gradients after a backward pass ends a step; in a program that
//             never clears them, the next forward with gradients starts one
//   forwards  a program that does not train: a forward pass is a step
//
// Only updates are certain: the forwards before the first backward pass may have been an evaluation, and the passes
// before the first update micro-batches. Where better evidence comes the number starts again, so it may fall.
//
// One thread's steps count: the first one with the best kind of evidence.
#pragma once

#include <stdint.h>

#include "step_rounds/step_rounds.h"

namespace tauprof::capture {

enum class Pass : uint8_t { kForwardWithGradients, kForwardWithout, kBackward, kUpdate };

// The caller holds a lock. `thread`: any number that is no other thread's. All zeros is the initial state.
class FrameworkSteps {
 public:
  void construct(uint32_t optimizer) { rounds_.construct(optimizer); }
  void starts(uint64_t thread, Pass pass);
  void forward_ends(uint64_t thread);
  void clears(uint64_t thread);
  void updates(uint64_t thread, uint32_t optimizer);

  // Whether PyTorch has said anything.
  bool any() const { return evidence_ != Evidence::kNone; }
  uint64_t number() const;
  // Until a first round is complete, an optimizer that was made but never steps may be what it waits for, so the number
  // is the most that it can be, and this the least.
  uint64_t least_number() const;
  // Whether a step is over and no pass of the next has begun: what lies in between may belong to either.
  bool is_between() const { return is_between_; }
  // Whether the number will not fall.
  bool is_certain() const { return evidence_ == Evidence::kUpdates && rounds_.rounds() > 0 && hidden() == 0; }
  // Once a step, in the midst of it: true if the log should say that the thread is in step number() now.
  bool take_number(uint64_t thread, Pass pass);

 private:
  enum class Evidence : uint8_t { kNone, kForwards, kPasses, kUpdates };
  bool counts(uint64_t thread, Evidence evidence);
  void end_step() { is_between_ = is_number_wanted_ = true; }
  void end_unseen_step();
  // Steps since the last update whose own was hidden.
  uint64_t hidden() const { return passes_ > most_passes_ ? unseen_ : 0; }

  StepRounds rounds_;
  uint64_t thread_ = 0;
  uint64_t forwards_ = 0;
  uint64_t before_rounds_ = 0;  // steps before the first round, if that came only when one was no longer waited for
  uint64_t unseen_ = 0;         // steps since the last update, if updates are hidden
  uint64_t passes_ = 0;         // backward passes since the last update
  uint64_t most_passes_ = 0;    // between two updates
  Evidence evidence_ = Evidence::kNone;
  bool clears_ = false;  // gradients, at some time
  bool is_after_backward_ = false;
  bool has_stepped_ = false;        // an optimizer
  bool is_in_update_ = false;       // whose closure may clear gradients
  bool has_open_forward_ = false;   // the outermost one, without gradients
  bool has_ended_forward_ = false;  // one with gradients, which a backward pass may follow
  bool is_between_ = false;
  bool is_number_wanted_ = false;
};

}  // namespace tauprof::capture
