#include "steps/step_cut.h"

#include <algorithm>

namespace tauprof {

StepCuts::StepCuts(std::vector<LoopEvent> events) : events_(std::move(events)) {
  for (const LoopEvent& event : events_) {
    if (event.kind == Kind::kPass) break;
    clears_first_ |= event.kind == Kind::kClearing;
  }
}

size_t StepCuts::at(Nanoseconds time) const {
  const auto found = std::lower_bound(events_.begin(), events_.end(), time,
                                      [](const LoopEvent& event, Nanoseconds when) { return event.start < when; });
  return static_cast<size_t>(found - events_.begin());
}

Nanoseconds StepCuts::next_pass(Nanoseconds time) const {
  for (size_t i = at(time); i < events_.size(); ++i)
    if (events_[i].kind == Kind::kPass) return events_[i].start;
  return kNever;
}

Nanoseconds StepCuts::end_of_event_at(Nanoseconds time) const {
  const size_t next = at(time);
  return next > 0 ? std::max(time, events_[next - 1].end) : time;
}

Nanoseconds StepCuts::evaluation(Nanoseconds after, Nanoseconds before) const {
  Nanoseconds input = kNever;
  for (size_t i = at(after); i < events_.size() && events_[i].start < before; ++i) {
    const Kind kind = events_[i].kind;
    if (kind == Kind::kFetch || kind == Kind::kInputCopy) input = std::min(input, events_[i].start);
    if (kind == Kind::kEvaluation) return std::min(input, events_[i].start);
  }
  return kNever;
}

Nanoseconds StepCuts::end_of_last(Nanoseconds after) const {
  Nanoseconds end = after;
  for (size_t i = at(after); i < events_.size(); ++i) {
    const Kind kind = events_[i].kind;
    if (kind != Kind::kClearing && kind != Kind::kEnd && kind != Kind::kWork) break;
    if (events_[i].waits_for_nothing) break;  // PyTorch and CUDA synchronise once more when the process ends
    end = events_[i].end;
  }
  return end;
}

Nanoseconds StepCuts::between(Nanoseconds after, Nanoseconds before) const {
  const size_t begin = at(after), end = at(before);
  const Found found = find(begin, end);
  if (found.is_fetch) return events_[found.first].start;
  return found.first > begin ? events_[found.first - 1].end : after;
}

Nanoseconds StepCuts::first(Nanoseconds before) const {
  const size_t end = at(before);
  const Found found = find(0, end);
  // Work of the set-up is no part of the step.
  const bool has_input =
      std::any_of(events_.begin() + static_cast<ptrdiff_t>(found.first), events_.begin() + static_cast<ptrdiff_t>(end),
                  [](const LoopEvent& event) { return event.kind != Kind::kWork && event.kind != Kind::kEvaluation; });
  return has_input ? events_[found.first].start : before;
}

StepCuts::Found StepCuts::find(size_t begin, size_t end) const {
  if (const size_t fetch = latest(Kind::kFetch, begin, end); fetch < end) return by_fetch(begin, fetch);
  const size_t copy = latest(Kind::kInputCopy, begin, end);
  const size_t clearing = clears_first_ ? latest(Kind::kClearing, begin, end) : end;
  if (copy < end) return {std::min(by_copies(begin, copy), clearing)};
  return {clearing < end ? clearing : by_ends(begin, end)};
}

// `end`: there is none for the pass.
size_t StepCuts::latest(Kind kind, size_t begin, size_t end) const {
  bool is_read = false;
  for (size_t i = end; i-- > begin;) {
    if (events_[i].kind == kind) return i;
    is_read |= events_[i].kind == Kind::kEnd;
    if (is_read && events_[i].kind == Kind::kEvaluation) break;
  }
  return end;
}

StepCuts::Found StepCuts::by_fetch(size_t begin, size_t fetch) const {
  for (size_t i = fetch; i-- > begin;) {
    const Kind kind = events_[i].kind;
    if (kind == Kind::kEvaluation || kind == Kind::kEnd || kind == Kind::kClearing) break;
    if (kind == Kind::kFetch) fetch = i;
  }
  size_t first = fetch;
  while (first > begin && events_[first - 1].kind == Kind::kInputCopy) --first;
  return {first, first == fetch};
}

size_t StepCuts::by_copies(size_t begin, size_t copy) const {
  for (size_t i = copy; i-- > begin;) {
    if (events_[i].kind == Kind::kInputCopy)
      copy = i;
    else if (events_[i].kind != Kind::kWork)
      break;
  }
  return copy;
}

size_t StepCuts::by_ends(size_t begin, size_t end) const {
  size_t first = end;
  while (first > begin && (events_[first - 1].kind == Kind::kWork || events_[first - 1].kind == Kind::kEvaluation))
    --first;
  return first;
}

}  // namespace tauprof
