#include "phases/host_time.h"

#include <algorithm>

#include "phases/assign_phases.h"
#include "phases/call_order.h"

namespace tauprof {
namespace {

bool ends_a_step(Phase phase) {
  return phase == Phase::kOptimStep || phase == Phase::kZeroGradSched || phase == Phase::kSyncGather;
}

// Shares out time moving forward: a phase range of the main thread overrides what is given.
class HostShare {
 public:
  explicit HostShare(const PhaseTrack& main_ranges) : cursor_(main_ranges), changes_(main_ranges.changes()) {}

  void add(Nanoseconds begin, Nanoseconds end, Phase phase, PerPhase<Nanoseconds>& sums) {
    while (begin < end) {
      const std::optional<Phase> range = cursor_.at(begin);
      while (next_ < changes_.size() && changes_[next_].time <= begin) ++next_;
      const Nanoseconds until = next_ < changes_.size() ? std::min(end, changes_[next_].time) : end;
      sums[static_cast<size_t>(range.value_or(phase))] += until - begin;
      begin = until;
    }
  }

 private:
  PhaseTrack::Cursor cursor_;
  const std::vector<PhaseTrack::Change>& changes_;
  size_t next_ = 0;
};

bool marks(const PhaseTrack& track, Phase phase) {
  return std::any_of(track.changes().begin(), track.changes().end(),
                     [&](const PhaseTrack::Change& change) { return change.phase == phase; });
}

class HostTime {
 public:
  HostTime(const ProcessTrace& trace, const PhaseTrack& main_ranges)
      : trace_(trace),
        share_(main_ranges),
        ranges_(main_ranges),
        marks_data_waits_(marks(main_ranges, Phase::kDataloadWait)) {}

  void begin(const HostStep& step, PerPhase<Nanoseconds>& sums) {
    step_ = step;
    sums_ = &sums;
    now_ = step.start;
    may_wait_for_data_ = true;
    // Calls in progress when the step begins.
    std::vector<uint32_t> open;
    open.swap(open_);
    for (const uint32_t call : open) add_call(call);
  }

  // Calls come by start; those that outlast the step go on in the next.
  void add(uint32_t index) {
    const HostCall& call = trace_.calls[index];
    if (call.start > now_) {
      share_.add(now_, call.start, phase_before(call), *sums_);
      now_ = call.start;
    }
    add_call(index);
    previous_ = call.phase;
    if (launches_work(call.call_class)) may_wait_for_data_ = false;
  }

  void end() { share_.add(now_, step_.end, Phase::kOther, *sums_); }

 private:
  void add_call(uint32_t index) {
    const HostCall& call = trace_.calls[index];
    if (call.end > step_.end) open_.push_back(index);
    const Nanoseconds until = std::min(call.end, step_.end);
    if (until <= now_) return;
    share_.add(now_, until, call.phase, *sums_);
    now_ = until;
  }

  Phase phase_before(const HostCall& call) {
    const bool is_data_wait =
        !marks_data_waits_ && call.is_input_copy && (may_wait_for_data_ || ends_a_step(previous_));
    if (is_data_wait) return Phase::kDataloadWait;
    // What a range begins does not begin before it.
    return ranges_.at(call.start) ? Phase::kOther : call.phase;
  }

  const ProcessTrace& trace_;
  HostShare share_;
  PhaseTrack::Cursor ranges_;
  const bool marks_data_waits_;
  HostStep step_;
  PerPhase<Nanoseconds>* sums_ = nullptr;
  Nanoseconds now_ = 0;
  Phase previous_ = Phase::kOther;
  bool may_wait_for_data_ = true;  // until the first launch of the step
  std::vector<uint32_t> open_;     // calls that outlast the step
};

}  // namespace

std::vector<PerPhase<Nanoseconds>> host_time_by_phase(const ProcessTrace& trace) {
  std::vector<PerPhase<Nanoseconds>> result(trace.steps.size());
  if (trace.threads.empty()) return result;
  const std::vector<PhaseTrack> tracks = phase_tracks(trace);
  HostTime host_time(trace, tracks[main_thread(trace)]);
  const std::vector<uint32_t> order = outermost_calls_in_order(trace);
  size_t next = 0;
  for (size_t index = 0; index < trace.steps.size(); ++index) {
    const HostStep& step = trace.steps[index];
    host_time.begin(step, result[index]);
    for (; next < order.size() && trace.calls[order[next]].start < step.end; ++next)
      if (trace.calls[order[next]].start >= step.start) host_time.add(order[next]);
    host_time.end();
  }
  return result;
}

}  // namespace tauprof
