#include "capture/window/wanted_steps.h"

#include <string.h>
#include <unistd.h>

#include "capture/rows/step_marker.h"
#include "capture/window/step_blocks.h"
#include "names/glob.h"

namespace tauprof::capture {

void WantedSteps::start(const Configuration& configuration, bool is_asked, uint64_t now) {
  trigger_ = configuration.trigger;
  function_ = after_prefix(configuration.step_marker, "call:");
  range_ = after_prefix(configuration.step_marker, "nvtx:");
  is_marked_by_kernel_ = after_prefix(configuration.step_marker, "kernel:") != nullptr;
  first_ = configuration.start_step;
  count_ = configuration.steps;
  step_started_ = now;
  has_blocks_ = StepBlocks(configuration.every).have_light();
  follows_ = has_window() || has_blocks_;
  is_uncounted_ = follows_ && !is_marked_by_user() && (is_marked_by_kernel_ || !is_asked);
  if (*trigger_ != '\0') is_wanted_ = is_triggered_ = access(trigger_, F_OK) == 0;
}

bool WantedSteps::is_over() const {
  if (count_ == 0 || is_uncounted_ || least_step() < first_ + count_) return false;
  return is_marked_by_user() || least_step() > first_ + count_ || !framework_.is_between();
}

bool WantedSteps::is_open() const { return is_triggered_ && !is_before() && !is_over(); }

bool WantedSteps::is_marked_by(const char* function) const {
  return function_ != nullptr && strcmp(function, function_) == 0;
}

bool WantedSteps::is_marked_by_range(const char* name, size_t size) const {
  return range_ != nullptr && matches_glob(range_, {name, size});
}

void WantedSteps::take_mark(uint64_t now) {
  if (has_mark_) ++marked_;
  has_mark_ = true;
  start_step(now);
  see_whether_done();
}

void WantedSteps::give_up_framework() {
  if (follows_ && !is_marked_by_user() && !framework_.any()) is_uncounted_ = true;
}

bool WantedSteps::take_number(uint64_t thread, Pass pass, uint64_t& number) {
  if (is_marked_by_user() || !framework_.take_number(thread, pass)) return false;
  number = framework_.number();
  return true;
}

void WantedSteps::start_step(uint64_t now) {
  step_started_ = now;
  is_triggered_ = is_wanted_;
}

// Stops following once the decision is final: the last wanted step is over, or every step from here on is wanted.
void WantedSteps::see_whether_done() {
  was_open_ |= is_open();
  if (has_blocks_ && !(is_over() && was_open_)) return;
  if (is_uncounted_ || (!is_marked_by_user() && !framework_.is_certain())) return;
  if (is_over() && was_open_) follows_ = false;
  if (count_ == 0 && *trigger_ == '\0' && step() >= first_) follows_ = false;
}

void WantedSteps::follow_clock(uint64_t now) {
  if (*trigger_ == '\0') return;
  is_wanted_ = access(trigger_, F_OK) == 0;
  if (is_uncounted_ || now - step_started_ > kNoSteps) is_triggered_ = is_wanted_;
}

}  // namespace tauprof::capture
