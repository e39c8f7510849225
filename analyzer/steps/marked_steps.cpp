#include <algorithm>
#include <map>
#include <unordered_map>
#include <unordered_set>

#include "limits/analysis_limits.h"
#include "steps/notable_gaps.h"
#include "steps/step_cut.h"
#include "steps/step_sources.h"
#include "steps/training_threads.h"
#include "steps/update_rounds.h"

namespace tauprof {
namespace {

enum class Evidence { kUpdates, kClearing, kNextForward, kForward };

// The ends of one thread's steps.
struct Ends {
  std::vector<Nanoseconds> times;
  Evidence evidence = Evidence::kUpdates;
};

using Constructions = std::unordered_map<uint64_t, Nanoseconds>;  // when each optimizer was constructed

Constructions constructions_of(const ProcessTrace& trace) {
  Constructions constructions;
  for (const FrameworkMark& mark : trace.marks)
    if (mark.kind == MarkKind::kOptimizer) constructions.try_emplace(mark.optimizer, mark.start);
  return constructions;
}

class ThreadSteps {
 public:
  ThreadSteps(const Constructions& constructions, const NotableGaps& gaps, const TrainingThread& thread,
              std::vector<LoopEvent> events)
      : constructions_(constructions), gaps_(gaps), thread_(thread), cuts_(std::move(events)) {}

  Ends ends_of_updates() const {
    Ends ends{visible_updates()};
    append_hidden(ends);
    return ends;
  }

  // In a program that does not train.
  Ends ends_of_forwards() const {
    Ends ends{{}, Evidence::kForward};
    Nanoseconds busy_until = std::numeric_limits<Nanoseconds>::min();
    for (const FrameworkMark& mark : thread_.marks) {
      if (mark.kind != MarkKind::kForward || mark.start < busy_until) continue;
      ends.times.push_back(busy_until = mark.end);
    }
    return ends;
  }

  std::vector<HostStep> steps(const Ends& ends) const {
    std::vector<HostStep> steps;
    Nanoseconds last_done = std::numeric_limits<Nanoseconds>::min();
    for (const Nanoseconds time : ends.times) {
      const Nanoseconds done = cuts_.end_of_event_at(time);
      if (done == last_done) continue;  // several ends in one event
      last_done = done;
      const Nanoseconds start = start_of_recorded(steps.empty() ? first_start(time) : steps.back().end, time);
      const Nanoseconds next = cuts_.next_pass(done);
      HostStep step{0, start, next == StepCuts::kNever ? cuts_.end_of_last(done) + 1 : cuts_.between(done, next)};
      if (step.end <= step.start) continue;
      step.extra_start = cuts_.evaluation(done, step.end);
      step.thread = thread_.thread;
      step.updated = done;
      steps.push_back(step);
    }
    return steps;
  }

 private:
  // Where nothing was recorded, what went before is not known; what follows may still belong to the step before, as
  // after an update.
  Nanoseconds start_of_recorded(Nanoseconds start, Nanoseconds end) const {
    const std::optional<Nanoseconds> resumed = gaps_.last_end(start, end);
    if (!resumed) return start;
    const Nanoseconds pass = cuts_.next_pass(*resumed);
    return pass < end ? cuts_.between(*resumed, pass) : *resumed;
  }

  Nanoseconds first_start(Nanoseconds first_end) const {
    const Nanoseconds pass = cuts_.next_pass(std::numeric_limits<Nanoseconds>::min());
    return pass == StepCuts::kNever ? first_end : std::min(first_end, cuts_.first(pass));
  }

  std::vector<Nanoseconds> visible_updates() const {
    struct Event {
      Nanoseconds time;
      OptimizerEvent event;
      Nanoseconds end;
    };
    std::vector<Event> events;
    std::unordered_set<uint64_t> seen;
    for (const FrameworkMark& mark : thread_.marks) {
      if (mark.kind != MarkKind::kUpdate) continue;
      if (seen.insert(mark.optimizer).second) {
        const auto constructed = constructions_.find(mark.optimizer);
        if (constructed != constructions_.end())
          events.push_back({constructed->second, {mark.optimizer, false}, mark.start});
        else if (mark.optimizer == kOfGraphs)
          events.push_back({mark.start, {mark.optimizer, false}, mark.start});
      }
      events.push_back({mark.start, {mark.optimizer, true}, mark.end});
    }
    std::stable_sort(events.begin(), events.end(), [](const Event& a, const Event& b) { return a.time < b.time; });
    std::vector<OptimizerEvent> sequence;
    for (const Event& event : events) sequence.push_back(event.event);
    const std::vector<bool> completed = completed_rounds(sequence);
    std::vector<Nanoseconds> ends;
    for (size_t i = 0; i < events.size(); ++i)
      if (completed[i]) ends.push_back(events[i].end);
    return ends;
  }

  // Appends steps that go on without updates after the last one: more backward passes than ever before between two
  // updates.
  void append_hidden(Ends& ends) const {
    size_t most = 0, passes = 0;
    Nanoseconds last_update = std::numeric_limits<Nanoseconds>::min();
    bool clears = false;
    for (const FrameworkMark& mark : thread_.marks) {
      clears |= mark.kind == MarkKind::kZeroGrad;
      if (mark.kind == MarkKind::kBackward) ++passes;
      if (mark.kind != MarkKind::kUpdate) continue;
      last_update = std::max(last_update, mark.end);
      most = std::max(most, passes);
      passes = 0;
    }
    if (passes <= most) return;
    ends.evidence = clears ? Evidence::kClearing : Evidence::kNextForward;
    Nanoseconds pass_end = 0;
    bool is_after_pass = false;
    for (const FrameworkMark& mark : thread_.marks) {
      if (mark.start < last_update) continue;
      const bool is_end =
          clears ? mark.kind == MarkKind::kZeroGrad : mark.kind == MarkKind::kForward && mark.has_gradients;
      if (is_after_pass && is_end && mark.start >= pass_end) {
        ends.times.push_back(pass_end);
        is_after_pass = false;
      }
      if (mark.kind != MarkKind::kBackward) continue;
      pass_end = mark.end;
      is_after_pass = true;
    }
    // The last step has nothing behind it if a step starts with what ends the one before.
    if (is_after_pass && (!clears || cuts_.clears_first())) ends.times.push_back(pass_end);
  }

  const Constructions& constructions_;
  const NotableGaps& gaps_;
  const TrainingThread& thread_;
  const StepCuts cuts_;
};

struct Words {
  double confidence;
  const char* reason;
};

Words words_for(Evidence evidence) {
  switch (evidence) {
    case Evidence::kUpdates:
      return {1, "PyTorch says when its optimizers step"};
    case Evidence::kClearing:
      return {kHiddenByClearing,
              "PyTorch does not say when updates happen (compiled ones, or without an optimizer); "
              "clearing gradients after a backward pass ends each step"};
    case Evidence::kNextForward:
      return {kHiddenByForward,
              "PyTorch does not say when updates happen (compiled ones, or without an optimizer); "
              "the forward pass after a backward pass starts each step"};
    default:
      return {1, "nothing is trained; PyTorch says when a forward pass is made, and each is a step"};
  }
}

// Threads train side by side: a step lasts from the end of one thread's step to the end of the next, whichever comes
// first.
void join(std::vector<HostStep>& steps) {
  std::stable_sort(steps.begin(), steps.end(), [](const HostStep& a, const HostStep& b) { return a.end < b.end; });
  for (HostStep& step : steps) step.own_start = step.start;
  for (size_t i = 1; i < steps.size(); ++i) steps[i].start = std::max(steps[i].start, steps[i - 1].end);
  std::erase_if(steps, [](const HostStep& step) { return step.end <= step.start; });
}

// Forward passes without gradients after a step's end and before its cut, and outside of all steps.
void mark_evaluations(ProcessTrace& trace, const std::map<uint16_t, std::vector<HostStep>>& steps_of_thread) {
  for (FrameworkMark& mark : trace.marks) {
    const auto found = steps_of_thread.find(mark.thread);
    if (found == steps_of_thread.end() || mark.kind != MarkKind::kForward || mark.has_gradients) continue;
    const std::vector<HostStep>& steps = found->second;
    const auto behind = std::upper_bound(steps.begin(), steps.end(), mark.start,
                                         [](Nanoseconds at, const HostStep& step) { return at < step.start; });
    const HostStep* const step = behind == steps.begin() ? nullptr : &*std::prev(behind);
    mark.is_evaluation = step == nullptr || mark.start >= step->end || mark.start >= step->extra_start;
  }
}

// Without training, what would be an evaluation is the program's work.
void count_as_passes(std::vector<LoopEvent>& events) {
  for (LoopEvent& event : events)
    if (event.kind == LoopEvent::Kind::kEvaluation) event.kind = LoopEvent::Kind::kPass;
}

}  // namespace

FoundSteps find_marked_steps(ProcessTrace& trace) {
  FoundSteps found;
  if (!is_marked(trace)) return found;
  const NotableGaps gaps(trace, "all");
  const CaptureTimes captures(trace);
  const std::vector<TrainingThread> threads = training_threads(trace, captures);
  const bool any_updates = std::any_of(threads.begin(), threads.end(), [](const auto& one) { return one.updates; });
  const bool any_passes = std::any_of(threads.begin(), threads.end(), [](const auto& one) { return one.has_passes; });
  const uint16_t main = main_training_thread(trace);
  const bool trains = any_updates || any_passes;
  Evidence evidence = Evidence::kUpdates;
  const Constructions constructions = constructions_of(trace);
  std::map<uint16_t, std::vector<HostStep>> steps_of_thread;
  for (const TrainingThread& thread : threads) {
    const bool is_own = any_updates ? thread.updates : any_passes ? thread.has_passes : thread.thread == main;
    if (!is_own) continue;
    std::vector<LoopEvent> events = loop_events(trace, thread.thread, thread.marks, captures);
    if (!trains) count_as_passes(events);
    const ThreadSteps one(constructions, gaps, thread, std::move(events));
    const Ends ends = trains ? one.ends_of_updates() : one.ends_of_forwards();
    evidence = std::max(evidence, ends.evidence);
    const std::vector<HostStep>& steps = steps_of_thread[thread.thread] = one.steps(ends);
    found.steps.insert(found.steps.end(), steps.begin(), steps.end());
  }
  if (trains) mark_evaluations(trace, steps_of_thread);
  if (steps_of_thread.size() > 1) join(found.steps);
  for (size_t i = 0; i < found.steps.size(); ++i) found.steps[i].number = static_cast<int64_t>(i);
  if (found.steps.empty()) return found;
  found.source = "pytorch";
  found.confidence = words_for(evidence).confidence;
  found.reason = words_for(evidence).reason;
  return found;
}

}  // namespace tauprof
