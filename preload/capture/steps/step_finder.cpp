#include "capture/steps/step_finder.h"

#include "capture/base/clock.h"
#include "capture/steps/launch_threads.h"
#include "capture/steps/search_memory.h"
#include "step_search/step_search_limits.h"

namespace tauprof::capture {
namespace {

// Fewer new launches change nothing.
constexpr uint64_t kFewLaunches = 16;
// A search may use 1/4 of one processor's time until steps are settled, and 1/50 after that.
constexpr uint64_t kShareUnsettled = 4;
constexpr uint64_t kShareSettled = 50;
// How many of the settled steps the next search covers: a few periods of whatever alternates.
constexpr size_t kStepsAgain = 2 * kMostAlternatingUpdates + 8;

// Gradients are seldom accumulated over more micro-batches than kFew, and hardly ever over more than kMost.
constexpr size_t kFewMicroBatches = 32;
constexpr size_t kMostMicroBatches = 128;

uint64_t mixed(uint64_t what, LaunchKind kind, bool is_backward) {
  return (what * 2 + is_backward) * 16 + static_cast<uint64_t>(kind);
}

// Which threads launch, and which of them launch backward passes: the analyzer's rule (launching_threads.h).
class Roles {
 public:
  Roles(const LaunchHistory& history, uint64_t from, uint64_t until) {
    bool has_autograd = false, main_launches = false;
    for (uint64_t at = from; at < until; ++at) {
      const SeenLaunch& launch = history.at(at);
      if (launch.facts.kind == LaunchKind::kSync) continue;
      launches_[launch.thread] = true;
      if (launch.facts.kind != LaunchKind::kKernel) continue;
      launches_kernels_[launch.thread] = true;
      const LaunchThread kind = LaunchThreads::kind_of(launch.thread);
      has_autograd |= kind == LaunchThread::kAutograd;
      main_launches |= kind == LaunchThread::kMain;
    }
    for (uint32_t i = 0; i < LaunchThreads::kMost; ++i) {
      const LaunchThread kind = LaunchThreads::kind_of(static_cast<uint8_t>(i));
      const bool is_other = main_launches && kind != LaunchThread::kMain;
      is_backward_[i] = launches_kernels_[i] && (has_autograd ? kind == LaunchThread::kAutograd : is_other);
    }
  }
  bool launches(uint8_t thread) const { return launches_[thread]; }
  bool is_backward(uint8_t thread) const { return is_backward_[thread]; }

 private:
  bool launches_[LaunchThreads::kMost] = {};
  bool launches_kernels_[LaunchThreads::kMost] = {};
  bool is_backward_[LaunchThreads::kMost] = {};
};

bool has_updates_by_name(const LaunchSequence& sequence) {
  for (const Launch& launch : sequence.launches) {
    const bool is_sign =
        launch.role == UpdateRole::kUpdate || launch.role == UpdateRole::kList || launch.role == UpdateRole::kScale;
    if (is_sign && !launch.is_backward) return true;
  }
  return false;
}

// If only some steps bring input, the others may be alternating updates of one step, until whole periods of them would
// have shown. The first step does not count: it may be incomplete.
bool may_alternate(const LaunchSequence& sequence, const StepCandidate& candidate) {
  size_t with_input = 0;
  for (size_t step = 1; step < candidate.steps.size(); ++step)
    for (size_t at = candidate.steps[step].start; at < candidate.steps[step].end; ++at)
      if (sequence.launches[at].kind == LaunchKind::kInputCopy) {
        ++with_input;
        break;
      }
  return with_input > 0 && with_input + 1 < candidate.steps.size() &&
         candidate.steps.size() < 2 * kMostAlternatingUpdates;
}

// What recurs before the first update may be its micro-batches. Backward passes that only the next batch follows almost
// certainly are, unless the update is made inside them and never follows.
bool may_be_micro_batches(const LaunchSequence& sequence, const StepCandidate& candidate) {
  if (candidate.source == StepSource::kLaunches || candidate.source == StepSource::kCollectives)
    return candidate.steps.size() < kFewMicroBatches;
  if (candidate.source != StepSource::kBackward || candidate.ends_with_update ||
      candidate.steps.size() >= kMostMicroBatches)
    return false;
  size_t bare = 0;
  for (const StepBounds& bounds : candidate.steps) {
    size_t after = 0;
    for (size_t at = bounds.start; at < bounds.end; ++at) {
      const Launch& launch = sequence.launches[at];
      if (launch.kind == LaunchKind::kKernel) after = launch.is_backward ? 0 : after + 1;
    }
    bare += after < kUpdateLaunches;
  }
  return static_cast<double>(bare) >= kUsualShare * static_cast<double>(candidate.steps.size());
}

}  // namespace

bool StepFinder::has_more(const LaunchHistory& history) const {
  return history.count() >= __atomic_load_n(&searched_, __ATOMIC_RELAXED) + kFewLaunches;
}

bool StepFinder::is_due(const LaunchHistory& history, const KnownSteps& known, uint64_t now) const {
  const uint64_t count = history.count();
  if (now < not_before_ || !has_more(history)) return false;
  // At most once for each step that is not recognised.
  const bool is_overdue =
      known.are_settled() && known.is_overdue(history, count - 1) && count - searched_ > known.longest() / 2;
  return is_overdue || count - searched_ >= interval_;
}

void StepFinder::prepare(const LaunchHistory& history, const KnownSteps& known) {
  from_ = history.oldest();
  are_settled_ = known.are_settled();
  if (!are_settled_ || known.size() <= kStepsAgain) return;
  const uint64_t recent = known.at(known.size() - kStepsAgain).position;
  if (recent > from_) from_ = recent;
}

bool StepFinder::search(const LaunchHistory& history, uint64_t now) {
  const uint64_t started = now_ns(), until = history.count();
  struct Task {
    StepFinder* finder;
    const LaunchHistory* history;
    uint64_t from, until;
  } task{this, &history, from_, until};
  found_ = {};
  const bool is_whole = with_search_memory(
      [](void* argument) {
        const Task& own = *static_cast<Task*>(argument);
        own.finder->run(*own.history, own.from, own.until);
      },
      &task);
  const bool has_steps = is_whole && found_.count > 0;
  const uint64_t took = now_ns() - started;
  not_before_ = now + took * (are_settled_ ? kShareSettled : kShareUnsettled);
  // Search again after a quarter more launches; once settled, after twice as many as the last time.
  interval_ = are_settled_ && has_steps ? 2 * (until - searched_) : until / 4;
  __atomic_store_n(&searched_, until, __ATOMIC_RELAXED);
  return has_steps;
}

LaunchSequence StepFinder::sequence(const LaunchHistory& history, uint64_t from, uint64_t until) {
  const Roles roles(history, from, until);
  LaunchSequence sequence;
  positions_.set_size(0);
  if (!positions_.reserve_more(until - from)) end_search();
  sequence.launches.reserve(until - from);
  for (uint64_t at = from; at < until; ++at) {
    const SeenLaunch& seen = history.at(at);
    if (!roles.launches(seen.thread)) continue;
    Launch launch;
    launch.start = static_cast<int64_t>(seen.start);
    launch.end = static_cast<int64_t>(seen.end != 0 ? seen.end : seen.start);
    launch.kind = seen.facts.kind;
    launch.role = seen.facts.role;
    launch.is_graph = seen.facts.is_graph;
    launch.is_event_sync = seen.facts.is_event_sync;
    launch.is_message = seen.facts.is_message;
    launch.is_group_end = seen.facts.is_group_end;
    if (launch.is_group_end && !sequence.launches.empty()) launch.is_message = sequence.launches.back().is_message;
    launch.is_backward = roles.is_backward(seen.thread);
    bool is_new;
    const uint32_t number = symbols_.number_of(mixed(seen.facts.what, launch.kind, launch.is_backward), is_new);
    if (number == 0) end_search();
    launch.symbol = number - 1;
    if (number > sequence.symbols) sequence.symbols = number;
    sequence.has_backward_thread |= launch.is_backward;
    positions_.append(&at, 1);
    sequence.launches.push_back(launch);
  }
  return sequence;
}

void StepFinder::run(const LaunchHistory& history, uint64_t from, uint64_t until) {
  const LaunchSequence launches = sequence(history, from, until);
  const StepsOfSequence steps = search_steps(launches);
  if (steps.found.steps.empty() || steps.is_single()) return;
  found_.from = from;
  found_.until = until;
  keep(history, launches, steps.found);
  source_ = steps.found.source;
  confidence_ = steps.found.confidence;
}

void StepFinder::keep(const LaunchHistory& history, const LaunchSequence& sequence, const StepCandidate& candidate) {
  starts_.set_size(0);
  const auto add = [&](size_t at, uint64_t extra) {
    // A wait is no launch: the step starts with the launch after it.
    while (at < sequence.launches.size() && sequence.launches[at].kind == LaunchKind::kSync) ++at;
    if (at == sequence.launches.size()) return;
    const StepStart start{positions_[at], history.at(positions_[at]).start, extra, 0};
    if (starts_.size() > 0 && starts_[starts_.size() - 1].position >= start.position) return;
    if (!starts_.append(&start, 1)) end_search();
  };
  for (const StepBounds& bounds : candidate.steps)
    add(bounds.start, bounds.extra < bounds.end ? static_cast<uint64_t>(sequence.launches[bounds.extra - 1].end) : 0);
  const size_t complete = starts_.size();
  add(candidate.steps.back().end, 0);
  learn_pattern(history);
  // What follows the last update may still belong to that step; too little was launched to tell.
  if (starts_.size() > complete && found_.pattern.is_known() &&
      !found_.pattern.fits(history, history.at(starts_[complete].position).ordinal))
    starts_.set_size(complete);
  const bool has_updates = candidate.source == StepSource::kOptimizer || candidate.ends_with_update;
  found_.is_last_over = has_updates && starts_.size() == complete;
  found_.starts = starts_.data();
  found_.count = starts_.size();
  found_.is_early = (candidate.source != StepSource::kOptimizer && has_updates_by_name(sequence)) ||
                    may_alternate(sequence, candidate) || may_be_micro_batches(sequence, candidate);
}

// The first step may start like no other; the last may not be over.
void StepFinder::learn_pattern(const LaunchHistory& history) {
  ordinals_.set_size(0);
  for (size_t i = 0; i < starts_.size(); ++i) {
    const uint64_t ordinal = history.at(starts_[i].position).ordinal;
    if (!ordinals_.append(&ordinal, 1)) end_search();
  }
  if (ordinals_.size() < 3) return;
  const size_t last = ordinals_.size() - 1;
  found_.pattern.learn(history, ordinals_.data() + 1, last - 1, ordinals_[0] + 1, ordinals_[last]);
}

}  // namespace tauprof::capture
