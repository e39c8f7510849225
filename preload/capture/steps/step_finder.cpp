#include "capture/steps/step_finder.h"

#include "capture/clock.h"
#include "capture/steps/launch_threads.h"
#include "capture/steps/search_memory.h"
#include "step_search/thresholds.h"

namespace tauprof::capture {
namespace {

// Fewer new launches change nothing.
constexpr uint64_t kFewLaunches = 16;
// A search takes at most this part of one processor's time: until steps are settled, and then.
constexpr uint64_t kShareUnsettled = 4;
constexpr uint64_t kShareSettled = 50;
// Settled steps are searched again in so many of them: some turns of whatever takes turns.
constexpr size_t kStepsAgain = 2 * kMostTurns + 8;

// Gradients are not often accumulated over more batches than this, and hardly ever over more than that.
constexpr size_t kFewMicroBatches = 32;
constexpr size_t kMostMicroBatches = 128;

uint64_t mixed(uint64_t what, LaunchKind kind, bool is_backward) {
  return (what * 2 + is_backward) * 16 + static_cast<uint64_t>(kind);
}

// Which threads launch, and whose launches are backward passes: as the analyzer tells it (launching_threads.h).
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

// Steps of which some bring input and others do not may be turns of one, until whole cycles of them would have shown.
// The first may be a part of one.
bool may_be_turns(const LaunchSequence& sequence, const StepCandidate& steps) {
  size_t with_input = 0;
  for (size_t step = 1; step < steps.cuts.size(); ++step)
    for (size_t at = steps.cuts[step].begin; at < steps.cuts[step].end; ++at)
      if (sequence.launches[at].kind == LaunchKind::kInputCopy) {
        ++with_input;
        break;
      }
  return with_input > 0 && with_input + 1 < steps.cuts.size() && steps.cuts.size() < 2 * kMostTurns;
}

// What recurs before any update was seen may be the batches of one. Backward passes that nothing follows but the next
// batch as good as surely are; unless the update is made inside of them, so that it never comes.
bool may_be_micro_batches(const LaunchSequence& sequence, const StepCandidate& steps) {
  if (steps.source == StepSource::kLaunches || steps.source == StepSource::kCollectives)
    return steps.cuts.size() < kFewMicroBatches;
  if (steps.source != StepSource::kBackward || steps.ends_with_update || steps.cuts.size() >= kMostMicroBatches)
    return false;
  size_t bare = 0;
  for (const StepCut& cut : steps.cuts) {
    size_t behind = 0;
    for (size_t at = cut.begin; at < cut.end; ++at) {
      const Launch& launch = sequence.launches[at];
      if (launch.kind == LaunchKind::kKernel) behind = launch.is_backward ? 0 : behind + 1;
    }
    bare += behind < kUpdateLaunches;
  }
  return static_cast<double>(bare) >= kCueShare * static_cast<double>(steps.cuts.size());
}

}  // namespace

bool StepFinder::has_more(const LaunchHistory& history) const {
  return history.count() >= __atomic_load_n(&searched_, __ATOMIC_RELAXED) + kFewLaunches;
}

bool StepFinder::is_due(const LaunchHistory& history, const KnownSteps& known, uint64_t now) const {
  const uint64_t count = history.count();
  if (now < not_before_ || !has_more(history)) return false;
  // Once for each step that is not recognised.
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
  const uint64_t began = now_ns(), until = history.count();
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
  const uint64_t took = now_ns() - began;
  not_before_ = now + took * (are_settled_ ? kShareSettled : kShareUnsettled);
  // Anew when a quarter more has been launched; when all stays as it is, after twice as much as the last time.
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
  if (steps.found.cuts.empty() || steps.is_single()) return;
  found_.from = from;
  found_.until = until;
  keep(history, launches, steps.found);
  source_ = steps.found.source;
  confidence_ = steps.found.confidence;
}

void StepFinder::keep(const LaunchHistory& history, const LaunchSequence& sequence, const StepCandidate& candidate) {
  begins_.set_size(0);
  const auto add = [&](size_t at, uint64_t extra) {
    // What waits is no launch: the step begins with the one behind it.
    while (at < sequence.launches.size() && sequence.launches[at].kind == LaunchKind::kSync) ++at;
    if (at == sequence.launches.size()) return;
    const StepBegin begin{positions_[at], history.at(positions_[at]).start, extra, 0};
    if (begins_.size() > 0 && begins_[begins_.size() - 1].position >= begin.position) return;
    if (!begins_.append(&begin, 1)) end_search();
  };
  for (const StepCut& cut : candidate.cuts)
    add(cut.begin, cut.extra < cut.end ? static_cast<uint64_t>(sequence.launches[cut.extra - 1].end) : 0);
  const size_t complete = begins_.size();
  add(candidate.cuts.back().end, 0);
  learn_pattern(history);
  // What follows the last update may be the rest of that step, of which too little has been launched to tell.
  if (begins_.size() > complete && found_.pattern.is_known() &&
      !found_.pattern.fits(history, history.at(begins_[complete].position).turn))
    begins_.set_size(complete);
  const bool has_updates = candidate.source == StepSource::kOptimizer || candidate.ends_with_update;
  found_.is_last_over = has_updates && begins_.size() == complete;
  found_.begins = begins_.data();
  found_.count = begins_.size();
  found_.is_early = (candidate.source != StepSource::kOptimizer && has_updates_by_name(sequence)) ||
                    may_be_turns(sequence, candidate) || may_be_micro_batches(sequence, candidate);
}

// The first may begin as no other does; the last may not be over.
void StepFinder::learn_pattern(const LaunchHistory& history) {
  turns_.set_size(0);
  for (size_t i = 0; i < begins_.size(); ++i) {
    const uint64_t turn = history.at(begins_[i].position).turn;
    if (!turns_.append(&turn, 1)) end_search();
  }
  if (turns_.size() < 3) return;
  const size_t last = turns_.size() - 1;
  found_.pattern.learn(history, turns_.data() + 1, last - 1, turns_[0] + 1, turns_[last]);
}

}  // namespace tauprof::capture
