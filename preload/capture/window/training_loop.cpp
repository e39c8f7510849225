#include "capture/window/training_loop.h"

namespace tauprof::capture {

void TrainingLoop::take_evidence(Evidence evidence) {
  if (evidence <= evidence_) return;
  evidence_ = evidence;
  is_number_wanted_ = true;
}

uint64_t TrainingLoop::number() const {
  const bool is_waiting = evidence_ != Evidence::kForwards && rounds_.rounds() == 0 && has_stepped_;
  return least_number() + (is_waiting ? rounds_.lap() + 1 : 0);
}

uint64_t TrainingLoop::least_number() const {
  if (evidence_ == Evidence::kForwards) return forwards_;
  return rounds_over() + hidden();
}

bool TrainingLoop::end_step() { return is_number_wanted_ = true; }

bool TrainingLoop::end_unseen_step() {
  is_after_backward_ = false;
  if (is_in_update_) return false;
  ++unseen_;
  return end_step();
}

bool TrainingLoop::end_round(bool has_waited) {
  if (rounds_.rounds() == 1 && has_waited) before_rounds_ = rounds_.lap();
  return end_step();
}

bool TrainingLoop::starts(Pass pass) {
  take_evidence(pass == Pass::kUpdate     ? Evidence::kUpdates
                : pass == Pass::kBackward ? Evidence::kPasses
                                          : Evidence::kForwards);
  is_in_update_ |= pass == Pass::kUpdate;
  bool is_end = false;
  if (pass == Pass::kBackward) {
    ++passes_;
    is_after_backward_ = true;
  } else if (pass == Pass::kForwardWithGradients && !clears_ && is_after_backward_) {
    is_end = end_unseen_step();
  } else if (evidence_ == Evidence::kForwards) {
    if (has_ended_forward_) {
      ++forwards_;
      is_end = end_step();
    }
    has_open_forward_ = pass == Pass::kForwardWithout;
    has_ended_forward_ = pass == Pass::kForwardWithGradients;
  }
  return is_end;
}

bool TrainingLoop::forward_ends() {
  if (evidence_ != Evidence::kForwards || !has_open_forward_) return false;
  has_open_forward_ = false;
  ++forwards_;
  return end_step();
}

bool TrainingLoop::clears() {
  clears_ = true;
  return is_after_backward_ && end_unseen_step();
}

bool TrainingLoop::updates(uint32_t optimizer) {
  if (passes_ > most_passes_) most_passes_ = passes_;
  passes_ = unseen_ = 0;
  is_after_backward_ = is_in_update_ = false;
  has_stepped_ = is_number_wanted_ = true;
  return rounds_.update(optimizer) && end_round(rounds_.lap() + 1 >= StepRounds::kPatience);
}

bool TrainingLoop::gives_up(uint32_t optimizer) { return rounds_.leave(optimizer) && end_round(true); }

bool TrainingLoop::take_number(Pass pass) {
  const bool is_midst = pass == Pass::kBackward || evidence_ == Evidence::kForwards;
  if (!is_number_wanted_ || !is_midst) return false;
  is_number_wanted_ = false;
  return true;
}

}  // namespace tauprof::capture
