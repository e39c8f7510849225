#include "capture/window/framework_steps.h"

namespace tauprof::capture {

// Whether what the thread does counts. Better evidence than before begins anew, with its own thread.
bool FrameworkSteps::counts(uint64_t thread, Evidence evidence) {
  if (evidence > evidence_) {
    evidence_ = evidence;
    thread_ = thread;
    is_between_ = false;
    is_number_wanted_ = true;
  }
  return thread == thread_;
}

uint64_t FrameworkSteps::number() const {
  const bool is_waiting = evidence_ != Evidence::kForwards && rounds_.rounds() == 0 && has_stepped_;
  return least_number() + (is_waiting ? rounds_.lap() + 1 : 0);
}

uint64_t FrameworkSteps::least_number() const {
  if (evidence_ == Evidence::kForwards) return forwards_;
  return (rounds_.rounds() > 0 ? before_rounds_ + rounds_.rounds() : 0) + hidden();
}

void FrameworkSteps::end_unseen_step() {
  is_after_backward_ = false;
  if (is_in_update_) return;
  ++unseen_;
  end_step();
}

void FrameworkSteps::starts(uint64_t thread, Pass pass) {
  const Evidence evidence = pass == Pass::kUpdate     ? Evidence::kUpdates
                            : pass == Pass::kBackward ? Evidence::kPasses
                                                      : Evidence::kForwards;
  if (!counts(thread, evidence)) return;
  is_in_update_ |= pass == Pass::kUpdate;
  if (pass == Pass::kBackward) {
    ++passes_;
    is_after_backward_ = true;
  } else if (pass == Pass::kForwardWithGradients && !clears_ && is_after_backward_) {
    end_unseen_step();
  } else if (evidence_ == Evidence::kForwards) {
    if (has_ended_forward_) {
      ++forwards_;
      end_step();
    }
    has_open_forward_ = pass == Pass::kForwardWithout;
    has_ended_forward_ = pass == Pass::kForwardWithGradients;
  }
  is_between_ = false;
}

void FrameworkSteps::forward_ends(uint64_t thread) {
  if (evidence_ != Evidence::kForwards || thread != thread_ || !has_open_forward_) return;
  has_open_forward_ = false;
  ++forwards_;
  end_step();
}

void FrameworkSteps::clears(uint64_t thread) {
  clears_ = true;
  if (thread == thread_ && is_after_backward_) end_unseen_step();
}

void FrameworkSteps::updates(uint64_t thread, uint32_t optimizer) {
  if (!counts(thread, Evidence::kUpdates)) return;
  if (passes_ > most_passes_) most_passes_ = passes_;
  passes_ = unseen_ = 0;
  is_after_backward_ = is_in_update_ = false;
  has_stepped_ = is_number_wanted_ = true;
  if (!rounds_.update(optimizer)) return;
  if (rounds_.rounds() == 1 && rounds_.lap() + 1 >= StepRounds::kPatience) before_rounds_ = rounds_.lap();
  end_step();
}

bool FrameworkSteps::take_number(uint64_t thread, Pass pass) {
  const bool is_midst = pass == Pass::kBackward || evidence_ == Evidence::kForwards;
  if (!is_number_wanted_ || thread != thread_ || !is_midst) return false;
  is_number_wanted_ = false;
  return true;
}

}  // namespace tauprof::capture
