#include "capture/steps/step_window.h"

#include <string.h>
#include <unistd.h>

#include "capture/step_marker.h"

namespace tauprof::capture {

void StepWindow::begin(const Configuration& configuration, uint64_t now) {
  trigger_ = configuration.trigger;
  function_ = after_prefix(configuration.step_marker, "call:");
  range_ = after_prefix(configuration.step_marker, "nvtx:");
  first_ = configuration.start_step;
  count_ = configuration.steps;
  step_began_ = now;
  follows_ = first_ != 0 || count_ != 0 || *trigger_ != '\0';
  if (*trigger_ != '\0') is_wanted_ = is_triggered_ = access(trigger_, F_OK) == 0;
}

bool StepWindow::is_over() const { return count_ != 0 && step_ >= first_ + count_; }

bool StepWindow::is_open() const { return step_ >= first_ && !is_over() && is_triggered_; }

bool StepWindow::is_marked_by(const char* function) const {
  return function_ != nullptr && strcmp(function, function_) == 0;
}

bool StepWindow::is_marked_by_range(const char* name, size_t size) const {
  return range_ != nullptr && matches_glob(range_, name, size);
}

void StepWindow::step_begins(uint64_t now) {
  if (!is_marked() || has_mark_) ++step_;
  has_mark_ = true;
  step_began_ = now;
  is_triggered_ = is_wanted_;
  if (is_over()) follows_ = false;
}

void StepWindow::follow_clock(uint64_t now) {
  if (*trigger_ == '\0') return;
  is_wanted_ = access(trigger_, F_OK) == 0;
  if (now - step_began_ > kNoSteps) is_triggered_ = is_wanted_;
}

}  // namespace tauprof::capture
