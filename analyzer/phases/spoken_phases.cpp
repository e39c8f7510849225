#include "phases/spoken_phases.h"

#include <algorithm>
#include <optional>
#include <queue>

#include "steps/launching_threads.h"
#include "steps/training_threads.h"

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
    case MarkKind::kUpdating:
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

std::optional<MarkKind> mark_of(Phase phase) {
  switch (phase) {
    case Phase::kDataloadWait:
      return MarkKind::kFetch;
    case Phase::kForward:
      return MarkKind::kForward;
    case Phase::kBackward:
      return MarkKind::kBackward;
    case Phase::kUnscaleClip:
      return MarkKind::kClip;
    case Phase::kOptimStep:
      return MarkKind::kUpdate;
    case Phase::kZeroGradSched:
      return MarkKind::kZeroGrad;
    default:
      return std::nullopt;
  }
}

// Ranges of the program and of Python's functions as marks. Operators are parts of passes.
std::vector<FrameworkMark> marks_of_ranges(const ProcessTrace& trace, RangePhases& phases) {
  std::vector<FrameworkMark> marks;
  for (const HostRange& range : trace.ranges) {
    if (range.is_mark || range.end <= range.start || (!is_users(range) && range.source != log::RangeSource::kPython))
      continue;
    const std::optional<Phase> phase = phases.of(range);
    if (const std::optional<MarkKind> kind = phase ? mark_of(*phase) : std::nullopt)
      marks.push_back({range.start, range.end, 0, range.thread, *kind});
  }
  return marks;
}

// Finds the losses among a thread's marks, which come by start: from the first forward pass to the backward pass inside
// the same mark, with no update in between; also from one backward pass to the next where no mark lies between them.
// The result of a pass without gradients right before the forward pass is input to it: a teacher's answer, a
// generator's picture.
class Losses {
 public:
  explicit Losses(std::vector<Interval>& found) : found_(found) {}

  void add(const FrameworkMark& mark) {
    while (!open_.empty() && open_.back().end <= mark.start) open_.pop_back();
    Level& level = open_.empty() ? outermost_ : open_.back().inside;
    const bool prepares = mark.kind == MarkKind::kForward && !mark.has_gradients && !mark.is_evaluation;
    if (mark.kind == MarkKind::kForward && mark.has_gradients && (level.since == kNever || level.is_backwards))
      level = {std::min(mark.end, level.prepared)};
    else if (mark.kind == MarkKind::kBackward && level.since < mark.start)
      found_.push_back({level.since, mark.start});
    if (mark.kind == MarkKind::kBackward)
      level = {mark.end, true};
    else if (mark.kind == MarkKind::kUpdate || (level.is_backwards && mark.kind != MarkKind::kForward))
      level = {};
    level.prepared = prepares ? mark.end : kNever;
    open_.push_back({mark.end, {}});
  }

 private:
  static constexpr Nanoseconds kNever = SpokenPhases::kForever;
  struct Level {
    Nanoseconds since = kNever;  // the end of a pass
    bool is_backwards = false;
    Nanoseconds prepared = kNever;  // the end of a pass without gradients, if that was the latest mark
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

bool has_named_passes(const ProcessTrace& trace, const PhaseRules& rules) {
  if (is_marked(trace)) return true;
  const std::vector<LaunchingThread> threads = launching_threads(trace);
  std::vector<bool> has_forward(threads.size()), has_backward(threads.size());
  RangePhases phases(trace, rules);
  for (const FrameworkMark& mark : marks_of_ranges(trace, phases)) {
    if (mark.kind == MarkKind::kForward) has_forward[mark.thread] = true;
    if (mark.kind == MarkKind::kBackward) has_backward[mark.thread] = true;
  }
  for (size_t i = 0; i < threads.size(); ++i)
    if (threads[i].launches && !threads[i].is_backward && has_forward[i] && has_backward[i]) return true;
  return false;
}

SpokenPhases::SpokenPhases(const ProcessTrace& trace, const PhaseRules& rules) : threads_(trace.threads.size()) {
  const bool has_marks = is_marked(trace);
  const std::vector<LaunchingThread> launching = launching_threads(trace);
  for (size_t i = 0; i < threads_.size(); ++i)
    threads_[i].is_autograds =
        is_autograd_thread(trace.names[trace.threads[i].name]) || (!has_marks && launching[i].is_backward);
  RangePhases phases(trace, rules);
  add_marks(has_marks ? trace.marks : marks_of_ranges(trace, phases));
  add_ranges(trace, phases);
  for (Thread& thread : threads_) {
    for (const Interval& loss : thread.losses) thread.spoken.push_back({loss, Phase::kForward, true});
    std::stable_sort(thread.spoken.begin(), thread.spoken.end(), [](const Spoken& a, const Spoken& b) {
      if (a.time.start != b.time.start) return a.time.start < b.time.start;
      return a.time.end != b.time.end ? a.time.end > b.time.end : a.is_loss && !b.is_loss;
    });
    if (!has_marks) add_named(thread);
  }
}

void SpokenPhases::add_marks(const std::vector<FrameworkMark>& marks) {
  for (size_t begin = 0, end = 0; begin < marks.size(); begin = end) {
    Thread& thread = threads_[marks[begin].thread];
    Losses losses(thread.losses);
    Nanoseconds backward_end = kBeforeAll;
    for (; end < marks.size() && marks[end].thread == marks[begin].thread; ++end) {
      const FrameworkMark& mark = marks[end];
      const bool is_recomputed = mark.kind == MarkKind::kForward && (thread.is_autograds || mark.start < backward_end);
      if (mark.end <= mark.start || is_recomputed) continue;
      if (mark.kind == MarkKind::kBackward) backward_end = std::max(backward_end, mark.end);
      if (mark.is_evaluation && (thread.evaluations.empty() || thread.evaluations.back().end <= mark.start))
        thread.evaluations.push_back({mark.start, mark.end});
      if (!thread.is_autograds) losses.add(mark);
      thread.spoken.push_back({{mark.start, mark.end}, phase_of(mark), false, mark.kind == MarkKind::kFetch});
    }
    std::sort(thread.losses.begin(), thread.losses.end(),
              [](const Interval& a, const Interval& b) { return a.start < b.start; });
  }
}

void SpokenPhases::add_ranges(const ProcessTrace& trace, RangePhases& phases) {
  const auto is_step = [&](const HostRange& range) {
    const auto step = std::lower_bound(trace.steps.begin(), trace.steps.end(), range.start,
                                       [](const HostStep& one, Nanoseconds start) { return one.start < start; });
    return step != trace.steps.end() && step->start == range.start;
  };
  for (const HostRange& range : trace.ranges) {
    if (range.is_mark || range.end <= range.start) continue;
    Thread& thread = threads_[range.thread];
    if (const std::optional<Phase> phase = phases.of(range)) {
      add_range({range.start, range.end}, *phase, thread);
    } else if (is_users(range) && !trace.names[range.name].starts_with("nccl:")) {
      if (Interval* const loss = holder(thread.losses, range.start)) loss->end = range.start;
      if (!is_step(range)) thread.named.push_back({range.start, range.end});
    }
  }
}

// A range that names something else counts beside those that name phases, not around them or inside.
void SpokenPhases::add_named(Thread& thread) {
  std::vector<Spoken> added;
  size_t next = 0;
  Nanoseconds until = kBeforeAll;
  for (const Interval& named : thread.named) {
    for (; next < thread.spoken.size() && thread.spoken[next].time.start < named.start; ++next)
      until = std::max(until, thread.spoken[next].time.end);
    const bool holds_some = next < thread.spoken.size() && thread.spoken[next].time.start < named.end;
    if (until <= named.start && !holds_some) added.push_back({named, Phase::kOther, false, false, true});
  }
  const auto middle = static_cast<std::ptrdiff_t>(thread.spoken.size());
  thread.spoken.insert(thread.spoken.end(), added.begin(), added.end());
  std::inplace_merge(thread.spoken.begin(), thread.spoken.begin() + middle, thread.spoken.end(),
                     [](const Spoken& a, const Spoken& b) { return a.time.start < b.time.start; });
}

// Passes that a framework marks in an evaluation do not count; autograd's threads compute forward again for backward.
void SpokenPhases::add_range(Interval range, Phase phase, Thread& thread) {
  if (is_in(phase, kPassPhases) && holder(thread.evaluations, range.start) != nullptr) return;
  if (phase == Phase::kForward && (thread.is_autograds || range.start < thread.backward_until)) return;
  if (phase == Phase::kBackward) thread.backward_until = std::max(thread.backward_until, range.end);
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
    if (innermost != nullptr) now = {time, innermost->phase, innermost->is_loss || innermost->is_named};
    now.is_named = innermost != nullptr && innermost->is_named;
    now.start = time;
    now.is_after_fetch = now.is_open && was_fetch;
    was_fetch = innermost != nullptr && innermost->is_fetch;
    phases.push_back(now);
  }
  return phases;
}

}  // namespace tauprof
