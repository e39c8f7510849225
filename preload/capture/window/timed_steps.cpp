#include "capture/window/timed_steps.h"

namespace tauprof::capture {

void TimedSteps::know_step(uint64_t number, bool is_between) {
  has_started_step_ |= !has_number_ || number != number_;
  has_number_ = true;
  number_ = number;
  is_between_ = is_between;
  is_full_ = is_full(number) || (is_between && number > 0 && is_full(number - 1));
  is_near_ = is_full(number + 1);
}

void TimedSteps::know_no_step() {
  has_number_ = is_between_ = false;
  is_full_ = true;
}

// At a step's start the source has been on for a step, or stays on for some time.
uint64_t TimedSteps::time_of(State state, uint64_t now) const {
  const State before = changes_[(count_ - 1) % kMost].state;
  if (state == State::kTaken) return now - kEdgeNs;
  const bool is_ours = state == State::kSwitching || state == State::kOff;
  return is_ours && before == State::kTaken ? now + kEdgeNs : now;
}

// Rows that the writer thread has not taken in time are lost, the oldest first.
void TimedSteps::follow(State source, uint64_t since, uint64_t now) {
  const bool starts_step = has_started_step_ && has_number_ && since == 0;
  const State state = source == State::kTaken && !is_full_ ? State::kSwitching : source;
  has_started_step_ = has_started_step_ && is_between_;
  Change change{since != 0 && since < now ? since : now, -1, state};
  if (count_ != 0) {
    const Change& last = changes_[(count_ - 1) % kMost];
    if (last.state == state) return;
    if (starts_step) change.step = static_cast<int64_t>(number_), change.time = time_of(state, now);
    if (change.time < last.time) change.time = last.time;
  }
  changes_[count_++ % kMost] = change;
  if (count_ - written_ > kMost) written_ = count_ - kMost;
}

bool TimedSteps::were_taken_at(uint64_t time) const {
  for (uint32_t i = count_; i != 0 && count_ - i < kMost; --i) {
    const Change& change = changes_[(i - 1) % kMost];
    if (change.time <= time) return change.state == State::kTaken;
  }
  return true;
}

bool TimedSteps::take_row(log::DeviceTimes& row) {
  if (written_ == count_) return false;
  const Change& change = changes_[written_++ % kMost];
  row = {static_cast<int64_t>(change.time), static_cast<int64_t>(change.state), change.step};
  return true;
}

}  // namespace tauprof::capture
