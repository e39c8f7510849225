#include "phases/spoken_phases.h"

#include <algorithm>
#include <optional>
#include <queue>

#include "steps/launching_threads.h"

namespace tauprof {
namespace {

Phase phase_of(const FrameworkMark& mark) {
  switch (mark.kind) {
    case MarkKind::kFetch:
      return Phase::kDataloadWait;
    case MarkKind::kForward:
      return mark.is_evaluation ? Phase::kOther : Phase::kForward;
    case MarkKind::kBackward:
      return Phase::kBackward;
    case MarkKind::kUnscale:
    case MarkKind::kScale:
    case MarkKind::kClip:
      return Phase::kUnscaleClip;
    case MarkKind::kUpdate:
      return Phase::kOptimStep;
    case MarkKind::kZeroGrad:
    case MarkKind::kSchedule:
      return Phase::kZeroGradSched;
    default:
      return Phase::kOther;
  }
}

bool is_users(const HostRange& range) {
  return range.source == log::RangeSource::kNvtx || range.source == log::RangeSource::kNvtxProcess ||
         range.source == log::RangeSource::kAnnotation;
}

// Finds the losses among marks that come by start: from the first forward pass to the backward pass inside the same
// mark, with no update in between; also from one backward pass to the next where no mark lies between them.
class Losses {
 public:
  explicit Losses(std::vector<Interval>& found) : found_(found) {}

  void add(const FrameworkMark& mark) {
    while (!open_.empty() && open_.back().end <= mark.start) open_.pop_back();
    Level& level = open_.empty() ? outermost_ : open_.back().inside;
    if (mark.kind == MarkKind::kForward && mark.has_gradients && (level.since == kNever || level.is_backwards))
      level = {mark.end};
    else if (mark.kind == MarkKind::kBackward && level.since < mark.start)
      found_.push_back({level.since, mark.start});
    if (mark.kind == MarkKind::kBackward)
      level = {mark.end, true};
    else if (mark.kind == MarkKind::kUpdate || (level.is_backwards && mark.kind != MarkKind::kForward))
      level = {};
    open_.push_back({mark.end, {}});
  }

 private:
  static constexpr Nanoseconds kNever = SpokenPhases::kForever;
  struct Level {
    Nanoseconds since = kNever;  // the end of a pass
    bool is_backwards = false;
  };
  struct Open {
    Nanoseconds end;
    Level inside;
  };
  std::vector<Interval>& found_;
  std::vector<Open> open_;
  Level outermost_;
};

// Of disjoint intervals by start, the one that holds the time.
Interval* holder(std::vector<Interval>& intervals, Nanoseconds time) {
  const auto after = std::upper_bound(intervals.begin(), intervals.end(), time,
                                      [](Nanoseconds at, const Interval& one) { return at < one.start; });
  return after != intervals.begin() && time < std::prev(after)->end ? &*std::prev(after) : nullptr;
}

}  // namespace

SpokenPhases::SpokenPhases(const ProcessTrace& trace, const PhaseRules& rules) : threads_(trace.threads.size()) {
  for (size_t i = 0; i < threads_.size(); ++i)
    threads_[i].is_autograds = is_autograd_thread(trace.names[trace.threads[i].name]);
  add_marks(trace);
  add_ranges(trace, rules);
  for (Thread& thread : threads_) {
    for (const Interval& loss : thread.losses) thread.spoken.push_back({loss, Phase::kForward, true});
    std::stable_sort(thread.spoken.begin(), thread.spoken.end(), [](const Spoken& a, const Spoken& b) {
      return a.time.start != b.time.start ? a.time.start < b.time.start : a.time.end > b.time.end;
    });
  }
}

void SpokenPhases::add_marks(const ProcessTrace& trace) {
  for (size_t begin = 0, end = 0; begin < trace.marks.size(); begin = end) {
    Thread& thread = threads_[trace.marks[begin].thread];
    Losses losses(thread.losses);
    Nanoseconds backward_end = kBeforeAll;
    for (; end < trace.marks.size() && trace.marks[end].thread == trace.marks[begin].thread; ++end) {
      const FrameworkMark& mark = trace.marks[end];
      const bool is_recomputed = mark.kind == MarkKind::kForward && (thread.is_autograds || mark.start < backward_end);
      if (mark.end <= mark.start || is_recomputed) continue;
      if (mark.kind == MarkKind::kBackward) backward_end = std::max(backward_end, mark.end);
      if (mark.is_evaluation && (thread.evaluations.empty() || thread.evaluations.back().end <= mark.start))
        thread.evaluations.push_back({mark.start, mark.end});
      losses.add(mark);
      thread.spoken.push_back({{mark.start, mark.end}, phase_of(mark), false, mark.kind == MarkKind::kFetch});
    }
    std::sort(thread.losses.begin(), thread.losses.end(),
              [](const Interval& a, const Interval& b) { return a.start < b.start; });
  }
}

void SpokenPhases::add_ranges(const ProcessTrace& trace, const PhaseRules& rules) {
  struct Meaning {
    bool is_known = false;
    std::optional<Phase> phase;
  };
  std::vector<Meaning> meanings(trace.names.size());
  for (const HostRange& range : trace.ranges) {
    if (range.is_mark || range.end <= range.start) continue;
    Meaning& meaning = meanings[range.name];
    if (!meaning.is_known) meaning = {true, rules.phase_of_range(trace.names[range.name])};
    Thread& thread = threads_[range.thread];
    if (meaning.phase)
      add_range({range.start, range.end}, *meaning.phase, thread);
    else if (Interval* const loss = is_users(range) ? holder(thread.losses, range.start) : nullptr)
      loss->end = range.start;
  }
}

// What a framework calls a pass is none in an evaluation, and autograd's threads compute forward again for backward.
void SpokenPhases::add_range(Interval range, Phase phase, Thread& thread) {
  if (is_in(phase, kPassPhases) && holder(thread.evaluations, range.start) != nullptr) return;
  if (phase == Phase::kForward && thread.is_autograds) return;
  thread.spoken.push_back({range, phase});
}

std::vector<SpokenPhase> SpokenPhases::of_thread(uint16_t number) const {
  const Thread& thread = threads_[number];
  std::vector<Nanoseconds> times;
  for (const Spoken& spoken : thread.spoken) {
    times.push_back(spoken.time.start);
    times.push_back(spoken.time.end);
  }
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());

  const SpokenPhase silence{kBeforeAll, thread.is_autograds ? Phase::kBackward : Phase::kOther, !thread.is_autograds};
  std::vector<SpokenPhase> phases{silence};
  std::priority_queue<size_t> open;  // the innermost, which starts last, on top
  size_t next = 0;
  bool was_fetch = false;
  for (const Nanoseconds time : times) {
    while (!open.empty() && thread.spoken[open.top()].time.end <= time) open.pop();
    for (; next < thread.spoken.size() && thread.spoken[next].time.start == time; ++next)
      if (thread.spoken[next].time.end > time) open.push(next);
    SpokenPhase now = silence;
    const Spoken* const innermost = open.empty() ? nullptr : &thread.spoken[open.top()];
    if (innermost != nullptr) now = {time, innermost->phase, innermost->is_loss};
    now.start = time;
    now.is_after_fetch = now.is_open && was_fetch;
    was_fetch = innermost != nullptr && innermost->is_fetch;
    phases.push_back(now);
  }
  return phases;
}

}  // namespace tauprof
