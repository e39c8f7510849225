#include "capture/window/wanted_steps.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "capture/rows/log_text.h"
#include "capture/rows/step_marker.h"
#include "names/glob.h"

namespace tauprof::capture {

void WantedSteps::start(const Configuration& configuration, uint64_t now) {
  trigger_ = configuration.trigger;
  function_ = after_prefix(configuration.step_marker, "call:");
  range_ = after_prefix(configuration.step_marker, "nvtx:");
  first_ = configuration.start_step;
  count_ = configuration.steps;
  step_started_ = now;
  follows_ = first_ != 0 || count_ != 0 || *trigger_ != '\0';
  if (*trigger_ != '\0') is_wanted_ = is_triggered_ = access(trigger_, F_OK) == 0;
  if (follows_ && !is_marked() && !history_.start()) follows_ = false;
}

uint64_t WantedSteps::step_at_most() const {
  if (is_marked()) return marked_;
  if (known_.are_settled()) return known_.number() + (is_overdue_ ? 1 : 0) + known_.most_unseen(history_.count());
  return guess_.is_sure() || guess_.step() > known_.number() ? guess_.step() : known_.number();
}

bool WantedSteps::is_over() const {
  if (count_ == 0) return false;
  if (is_marked()) return marked_ >= first_ + count_ && !is_between_steps_;
  const uint64_t end = first_ + count_;
  return known_.are_settled() && known_.number() >= end && known_.searched_number() >= end;
}

// Whether the window opened or closed by a step start that was recognised but not yet confirmed by a search.
bool WantedSteps::is_unconfirmed() const {
  if (!known_.are_settled()) return false;
  const auto has_passed = [this](uint64_t step) { return known_.number() >= step && known_.searched_number() < step; };
  return has_passed(first_) || (count_ != 0 && has_passed(first_ + count_));
}

bool WantedSteps::is_open() const { return step_at_most() >= first_ && !is_over() && is_triggered_; }

bool WantedSteps::take(const LaunchFacts& facts, uint64_t ticks, uint64_t now, uint64_t& position) {
  const uint8_t thread = LaunchThreads::own_number();
  position = history_.add(facts, thread, ticks);
  const bool may_start = facts.kind != LaunchKind::kSync && guess_.take(facts, LaunchThreads::kind_of(thread));
  if (!known_.are_settled()) {
    known_.take_launch(history_, position);
    if (may_start) start_step(now);
    return may_start;
  }
  const bool has_started = known_.take_launch(history_, position), was_overdue = is_overdue_;
  if (has_started)
    start_step(now);
  else
    is_overdue_ = known_.is_overdue(history_, position);
  if (is_unconfirmed() && (has_started || finder_.has_more(history_)))
    __atomic_store_n(&is_asked_, true, __ATOMIC_RELEASE);
  return has_started || is_overdue_ != was_overdue;
}

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
}

bool WantedSteps::take_update(uint64_t thread, uint32_t optimizer, uint64_t now) {
  if (is_marked_by_user()) return false;
  if (updating_thread_ == 0) updating_thread_ = thread;
  if (thread != updating_thread_ || !rounds_.update(optimizer)) return false;
  is_between_steps_ = has_rounds_ = is_number_wanted_ = true;
  marked_ = rounds_.rounds();
  start_step(now);
  return true;
}

bool WantedSteps::take_pass(uint64_t thread) {
  if (!is_between_steps_ || thread != updating_thread_) return false;
  is_between_steps_ = false;
  see_whether_done();
  return true;
}

bool WantedSteps::take_number(uint64_t thread, uint64_t& number) {
  if (!is_number_wanted_ || thread != updating_thread_) return false;
  is_number_wanted_ = false;
  number = marked_;
  return true;
}

void WantedSteps::start_step(uint64_t now) {
  step_started_ = now;
  is_overdue_ = false;
  is_triggered_ = is_wanted_;
  see_whether_done();
}

// Stops following launches once the decision is final: the last wanted step is over, or every step from here on is
// wanted. If the wanted steps seem over but none was ever recorded, the steps may turn out to be others, and the wanted
// ones still to come.
void WantedSteps::see_whether_done() {
  was_open_ |= is_open();
  if (is_over() && was_open_) follows_ = false;
  const bool is_known = is_marked() || known_.are_settled();
  if (count_ == 0 && *trigger_ == '\0' && is_known && step() >= first_) follows_ = false;
}

void WantedSteps::follow_clock(uint64_t now) {
  if (*trigger_ == '\0') return;
  is_wanted_ = access(trigger_, F_OK) == 0;
  if (now - step_started_ > kNoSteps) is_triggered_ = is_wanted_;
}

bool WantedSteps::wants_search(uint64_t now) {
  if (!follows_ || is_marked()) return false;
  const bool is_asked = __atomic_exchange_n(&is_asked_, false, __ATOMIC_ACQ_REL);
  if (!is_asked && !finder_.is_due(history_, known_, now) && !(is_unconfirmed() && finder_.has_more(history_)))
    return false;
  finder_.prepare(history_, known_);
  return true;
}

bool WantedSteps::wants_last_search() {
  if (!follows_ || is_marked() || known_.are_settled()) return false;
  finder_.prepare(history_, known_);
  return true;
}

void WantedSteps::install(uint64_t now) {
  const uint64_t before = known_.number();
  known_.take(finder_.found());
  known_.take_remaining(history_);
  is_overdue_ = false;
  if (known_.number() != before)
    start_step(now);
  else
    see_whether_done();
}

void WantedSteps::write_step_starts(log::Writer& writer, const TickScale& scale) {
  if (has_written_) return;
  if (has_rounds_) {
    has_written_ = true;
    put_attribute(writer, "steps_seen_by", "pytorch");
    put_attribute(writer, "steps_seen_confidence", "1");
  }
  if (is_marked() || !known_.any()) return;
  has_written_ = true;
  char confidence[16];
  snprintf(confidence, sizeof confidence, "%.4f", finder_.confidence());
  put_attribute(writer, "steps_seen_by", name_of(finder_.source()));
  put_attribute(writer, "steps_seen_confidence", confidence);
  for (size_t i = 0; i < known_.size(); ++i) {
    const StepStart& start = known_.at(i);
    if (start.number + 1 < first_ || (count_ != 0 && start.number > first_ + count_ + 1)) continue;
    log::RecorderStep row{};
    row.time = static_cast<int64_t>(scale.to_ns(start.ticks));
    row.step = static_cast<int64_t>(start.number);
    row.extra = start.extra != 0 ? static_cast<int64_t>(scale.to_ns(start.extra)) : 0;
    writer.append(row);
  }
}

}  // namespace tauprof::capture
