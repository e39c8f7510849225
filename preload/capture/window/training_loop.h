// The steps of one thread, from what PyTorch says while the program runs (framework_steps.h puts threads together).
//
// They are counted by the best that the thread has shown so far, each from 0:
//
//   updates   the rounds of all optimizers (step_rounds.h). What follows the last update with more backward passes than
//             lie between two others is counted as hidden updates are
//   passes    hidden updates (a compiled step): clearing gradients after a backward pass ends a step; in a program that
//             never clears them, the next forward with gradients starts one
//   forwards  a program that does not train: a forward pass is a step
//
// Only updates are certain: the forwards before the first backward pass may have been an evaluation, and the passes
// before the first update micro-batches. Where better evidence comes the number starts again, so it may fall.
#pragma once

#include <stdint.h>

#include "step_rounds/step_rounds.h"

namespace tauprof::capture {

enum class Pass : uint8_t { kForwardWithGradients, kForwardWithout, kBackward, kUpdate };
enum class Evidence : uint8_t { kNone, kForwards, kPasses, kUpdates };

// All zeros is the initial state. Functions that may end a step return whether they did.
class TrainingLoop {
 public:
  bool starts(Pass pass);
  bool forward_ends();
  bool clears();
  bool updates(uint32_t optimizer);
  // An optimizer is constructed that this loop may step.
  void awaits(uint32_t optimizer) { rounds_.construct(optimizer); }
  // It steps in another loop, or is gone.
  bool gives_up(uint32_t optimizer);

  Evidence evidence() const { return evidence_; }
  bool trains() const { return evidence_ >= Evidence::kPasses; }
  const StepRounds& rounds() const { return rounds_; }
  uint64_t number() const;
  // Until a first round is complete, an optimizer that was made but never steps may be what it waits for, so the number
  // is the most that it can be, and this the least.
  uint64_t least_number() const;
  // By updates alone: it never falls.
  uint64_t rounds_over() const { return rounds_.rounds() > 0 ? before_rounds_ + rounds_.rounds() : 0; }
  // Steps since the last update whose own was hidden.
  uint64_t hidden() const { return passes_ > most_passes_ ? unseen_ : 0; }
  // Once a step, in the midst of it.
  bool take_number(Pass pass);

 private:
  void take_evidence(Evidence evidence);
  bool end_step();
  bool end_unseen_step();
  // `has_waited`: for an optimizer that it has given up.
  bool end_round(bool has_waited);

  StepRounds rounds_;
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
  bool is_number_wanted_ = false;
};

}  // namespace tauprof::capture
