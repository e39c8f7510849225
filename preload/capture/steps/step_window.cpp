#include "capture/steps/step_window.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "capture/rows/log_text.h"
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
  if (follows_ && !is_marked() && !history_.begin()) follows_ = false;
}

uint64_t StepWindow::step_at_most() const {
  if (is_marked()) return marked_;
  if (known_.are_settled()) return known_.number() + (is_overdue_ ? 1 : 0) + known_.most_unseen(history_.count());
  return guess_.is_sure() || guess_.step() > known_.number() ? guess_.step() : known_.number();
}

bool StepWindow::is_over() const {
  if (count_ == 0) return false;
  if (is_marked()) return marked_ >= first_ + count_;
  const uint64_t end = first_ + count_;
  return known_.are_settled() && known_.number() >= end && known_.searched_number() >= end;
}

// Whether the window opens or closes by begins that were recognised, but that no search has confirmed.
bool StepWindow::is_unconfirmed() const {
  if (!known_.are_settled()) return false;
  const auto has_passed = [this](uint64_t step) { return known_.number() >= step && known_.searched_number() < step; };
  return has_passed(first_) || (count_ != 0 && has_passed(first_ + count_));
}

bool StepWindow::is_open() const { return step_at_most() >= first_ && !is_over() && is_triggered_; }

bool StepWindow::take(const LaunchFacts& facts, uint64_t ticks, uint64_t now, uint64_t& position) {
  const uint8_t thread = LaunchThreads::own_number();
  position = history_.add(facts, thread, ticks);
  const bool may_begin = facts.kind != LaunchKind::kSync && guess_.take(facts, LaunchThreads::kind_of(thread));
  if (!known_.are_settled()) {
    known_.take_launch(history_, position);
    if (may_begin) step_begins(now);
    return may_begin;
  }
  const bool begins = known_.take_launch(history_, position), was_overdue = is_overdue_;
  if (begins)
    step_begins(now);
  else
    is_overdue_ = known_.is_overdue(history_, position);
  if (is_unconfirmed() && (begins || finder_.has_more(history_))) __atomic_store_n(&is_asked_, true, __ATOMIC_RELEASE);
  return begins || is_overdue_ != was_overdue;
}

bool StepWindow::is_marked_by(const char* function) const {
  return function_ != nullptr && strcmp(function, function_) == 0;
}

bool StepWindow::is_marked_by_range(const char* name, size_t size) const {
  return range_ != nullptr && matches_glob(range_, name, size);
}

void StepWindow::take_mark(uint64_t now) {
  if (has_mark_) ++marked_;
  has_mark_ = true;
  step_begins(now);
}

void StepWindow::step_begins(uint64_t now) {
  step_began_ = now;
  is_overdue_ = false;
  is_triggered_ = is_wanted_;
  see_whether_done();
}

// What is recorded cannot change any more: the last wanted step is over, or all from here on are wanted.
// A window that seems over and was never open may turn out to lie ahead, when the steps turn out to be others.
void StepWindow::see_whether_done() {
  was_open_ |= is_open();
  if (is_over() && was_open_) follows_ = false;
  const bool is_known = is_marked() || known_.are_settled();
  if (count_ == 0 && *trigger_ == '\0' && is_known && step() >= first_) follows_ = false;
}

void StepWindow::follow_clock(uint64_t now) {
  if (*trigger_ == '\0') return;
  is_wanted_ = access(trigger_, F_OK) == 0;
  if (now - step_began_ > kNoSteps) is_triggered_ = is_wanted_;
}

bool StepWindow::wants_search(uint64_t now) {
  if (!follows_ || is_marked()) return false;
  const bool is_asked = __atomic_exchange_n(&is_asked_, false, __ATOMIC_ACQ_REL);
  if (!is_asked && !finder_.is_due(history_, known_, now) && !(is_unconfirmed() && finder_.has_more(history_)))
    return false;
  finder_.prepare(history_, known_);
  return true;
}

bool StepWindow::wants_last_search() {
  if (!follows_ || is_marked() || known_.are_settled()) return false;
  finder_.prepare(history_, known_);
  return true;
}

void StepWindow::install(uint64_t now) {
  const uint64_t before = known_.number();
  known_.take(finder_.found());
  known_.take_rest(history_);
  is_overdue_ = false;
  if (known_.number() != before)
    step_begins(now);
  else
    see_whether_done();
}

void StepWindow::write_begins(log::Writer& writer, const TickScale& scale) {
  if (is_marked() || has_written_ || !known_.any()) return;
  has_written_ = true;
  char confidence[16];
  snprintf(confidence, sizeof confidence, "%.4f", finder_.confidence());
  put_attribute(writer, "steps_seen_by", name_of(finder_.source()));
  put_attribute(writer, "steps_seen_confidence", confidence);
  for (size_t i = 0; i < known_.size(); ++i) {
    const StepBegin& begin = known_.at(i);
    if (begin.number + 1 < first_ || (count_ != 0 && begin.number > first_ + count_ + 1)) continue;
    log::SeenStep row{};
    row.time = static_cast<int64_t>(scale.to_ns(begin.ticks));
    row.step = static_cast<int64_t>(begin.number);
    row.extra = begin.extra != 0 ? static_cast<int64_t>(scale.to_ns(begin.extra)) : 0;
    writer.append(row);
  }
}

}  // namespace tauprof::capture
