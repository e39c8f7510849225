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

}  // namespace

std::vector<PerPhase<Nanoseconds>> host_time_by_phase(const ProcessTrace& trace) {
  std::vector<PerPhase<Nanoseconds>> result(trace.steps.size());
  if (trace.threads.empty()) return result;
  const std::vector<PhaseTrack> tracks = phase_tracks(trace);
  const PhaseTrack& main_ranges = tracks[main_thread(trace)];
  const std::vector<uint32_t> order = outermost_calls_in_order(trace);
  HostShare share(main_ranges);
  PhaseTrack::Cursor ranges(main_ranges);
  const bool marks_data_waits = marks(main_ranges, Phase::kDataloadWait);
  size_t next = 0;
  Phase previous = Phase::kOther;
  for (size_t index = 0; index < trace.steps.size(); ++index) {
    const HostStep& step = trace.steps[index];
    PerPhase<Nanoseconds>& sums = result[index];
    Nanoseconds time = step.start;
    bool may_wait_for_data = true;  // until the first input copy or compute of the step
    for (; next < order.size() && trace.calls[order[next]].start < step.end; ++next) {
      const HostCall& call = trace.calls[order[next]];
      if (call.start < step.start || call.end <= time) continue;
      const bool is_data_wait =
          !marks_data_waits && call.is_input_copy && (may_wait_for_data || ends_a_step(previous));
      // What a range begins does not begin before it.
      const Phase before = ranges.at(call.start) ? Phase::kOther : call.phase;
      if (call.start > time) share.add(time, call.start, is_data_wait ? Phase::kDataloadWait : before, sums);
      share.add(std::max(time, call.start), std::min(call.end, step.end), call.phase, sums);
      time = std::min(call.end, step.end);
      previous = call.phase;
      if (launches_work(call.call_class)) may_wait_for_data = false;
    }
    share.add(time, step.end, Phase::kOther, sums);
  }
  return result;
}

}  // namespace tauprof
