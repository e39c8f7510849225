#include "phases/marked_phases.h"

#include <algorithm>

#include "phases/host_times.h"
#include "phases/spoken_phases.h"
#include "steps/launching_threads.h"
#include "steps/training_threads.h"

namespace tauprof {
namespace {

using Changes = std::vector<PhaseTrack::Change>;

// The phase of the host between two marks, by the calls of its thread.
class Between {
 public:
  Between(const ProcessTrace& trace, const LaunchedWork& work) : trace_(trace), work_(work) {}

  // `says_fetches`: the thread's marks or ranges say when it waits for a batch.
  void start_thread(bool says_fetches) { says_fetches_ = says_fetches; }

  // The phases from `spoken` until `end`, with the calls that start there; `next`: the first of them.
  void add(const SpokenPhase& spoken, Nanoseconds end, uint32_t& next, uint32_t last, Changes& changes) {
    phase_ = spoken.phase;
    is_named_ = spoken.is_named;
    came_with_input_ = spoken.is_after_fetch;
    Nanoseconds now = spoken.start;
    for (; next < last && trace_.calls[next].start < end; ++next) {
      const HostCall& call = trace_.calls[next];
      const bool counts = launches_work(call.call_class) || blocks_host(call.call_class);
      if (call.outer != kNoIndex || !counts || call.start < now) continue;
      const Phase phase = phase_of(next);
      if (call.is_input_copy) changes.push_back({now, preparing_input()});
      changes.push_back({call.start, phase});
      now = std::min(std::max(call.end, call.start + 1), end);
      changes.push_back({now, phase_});
      came_with_input_ = phase == Phase::kHostToDevice;
    }
  }

 private:
  Phase preparing_input() const {
    if (is_named_) return phase_;
    if (came_with_input_) return Phase::kHostToDevice;
    return says_fetches_ ? phase_ : Phase::kDataloadWait;
  }

  Phase phase_of(uint32_t index) const {
    const HostCall& call = trace_.calls[index];
    if (call.is_input_copy) return Phase::kHostToDevice;
    const bool waits_for_input = call.call_class == CallClass::kSync && came_with_input_;
    if (waits_for_input) return Phase::kHostToDevice;
    if (is_named_) return phase_;
    if (blocks_host(call.call_class) || work_.copies_back(index)) return Phase::kSyncGather;
    if (work_.work[index] == Work::kMessage) return Phase::kOther;
    const bool gathers = work_.work[index] == Work::kCollective;
    return gathers && phase_ == Phase::kOther ? Phase::kSyncGather : phase_;
  }

  const ProcessTrace& trace_;
  const LaunchedWork& work_;
  Phase phase_ = Phase::kOther;
  bool is_named_ = false;
  bool says_fetches_ = false;
  bool came_with_input_ = false;  // a fetch or an input copy was just before
};

// How long the calls of a thread were blocked, moving forward.
class BlockedCalls {
 public:
  BlockedCalls(const ProcessTrace& trace, uint16_t thread, Nanoseconds start, const BlockedHost& blocked)
      : trace_(trace), blocked_(blocked), now_(start) {
    if (thread + 1u >= trace.first_call.size()) return;
    const auto first = trace.calls.begin() + trace.first_call[thread];
    const auto last = trace.calls.begin() + trace.first_call[thread + 1];
    auto next =
        std::lower_bound(first, last, start, [](const HostCall& call, Nanoseconds time) { return call.start < time; });
    // The one that was in progress at the start.
    while (next != first && ((next - 1)->outer != kNoIndex || (next - 1)->end > start)) --next;
    next_ = static_cast<uint32_t>(next - trace.calls.begin());
    last_ = trace.first_call[thread + 1];
  }

  // From where the last one ended.
  Nanoseconds until(Nanoseconds end) {
    Nanoseconds sum = 0;
    for (; next_ < last_; ++next_) {
      const HostCall& call = trace_.calls[next_];
      if (call.start >= end) break;
      if (call.outer == kNoIndex) sum += blocked_.within(call, std::max(call.start, now_), std::min(call.end, end));
      if (call.end > end) break;
    }
    now_ = end;
    return sum;
  }

 private:
  const ProcessTrace& trace_;
  const BlockedHost& blocked_;
  Nanoseconds now_;
  uint32_t next_ = 0;
  uint32_t last_ = 0;
};

}  // namespace

std::vector<PhaseTrack> marked_tracks(const ProcessTrace& trace, const LaunchedWork& work, const PhaseRules& rules) {
  const SpokenPhases spoken(trace, rules);
  Between between(trace, work);
  std::vector<PhaseTrack> tracks;
  for (size_t thread = 0; thread < trace.threads.size(); ++thread) {
    Changes changes;
    const std::vector<SpokenPhase> phases = spoken.of_thread(static_cast<uint16_t>(thread));
    const bool has_calls = thread + 1 < trace.first_call.size();
    uint32_t next = has_calls ? trace.first_call[thread] : 0;
    const uint32_t last = has_calls ? trace.first_call[thread + 1] : 0;
    between.start_thread(std::any_of(phases.begin(), phases.end(),
                                     [](const SpokenPhase& one) { return one.phase == Phase::kDataloadWait; }));
    for (size_t i = 0; i < phases.size(); ++i) {
      const Nanoseconds end = i + 1 < phases.size() ? phases[i + 1].start : SpokenPhases::kForever;
      changes.push_back({phases[i].start, phases[i].phase});
      while (next < last && trace.calls[next].start < phases[i].start) ++next;
      if (phases[i].is_open) between.add(phases[i], end, next, last, changes);
    }
    tracks.emplace_back(std::move(changes));
  }
  return tracks;
}

std::vector<HostTimes> marked_host_time(const ProcessTrace& trace, const PhaseRules& rules, const BlockedHost& blocked,
                                        std::vector<PhaseSlice>* slices) {
  PhaseShare share(slices);
  const std::vector<PhaseTrack> tracks = marked_tracks(trace, LaunchedWork(trace), rules);
  const uint16_t usual = is_marked(trace) ? main_training_thread(trace) : main_thread(trace);
  std::vector<HostTimes> result(trace.steps.size());
  for (size_t i = 0; i < trace.steps.size(); ++i) {
    const HostStep& step = trace.steps[i];
    const uint16_t thread = step.thread < 0 ? usual : static_cast<uint16_t>(step.thread);
    const Changes& changes = tracks[thread].changes();
    BlockedCalls calls(trace, thread, step.start, blocked);
    share.start_step(result[i]);
    auto change = std::upper_bound(changes.begin(), changes.end(), step.start,
                                   [](Nanoseconds time, const PhaseTrack::Change& one) { return time < one.time; });
    Phase phase = change == changes.begin() ? Phase::kOther : std::prev(change)->phase.value_or(Phase::kOther);
    for (Nanoseconds now = step.start; now < step.end;) {
      const Nanoseconds until = change == changes.end() ? step.end : std::min(step.end, change->time);
      share.add(now, until, phase, calls.until(until));
      now = until;
      if (change != changes.end()) phase = (change++)->phase.value_or(Phase::kOther);
    }
  }
  return result;
}

}  // namespace tauprof
