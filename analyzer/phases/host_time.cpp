#include "phases/host_time.h"

#include <algorithm>
#include <deque>

#include "limits/analysis_limits.h"
#include "phases/assign_phases.h"
#include "phases/blocked_host.h"
#include "phases/call_order.h"
#include "phases/host_times.h"
#include "phases/launched_work.h"
#include "phases/marked_phases.h"
#include "phases/spoken_phases.h"
#include "steps/launching_threads.h"

namespace tauprof {
namespace {

// A batch is fetched after the previous step or micro-batch.
bool ends_a_batch(Phase phase) {
  return is_in(phase, phase_bit(Phase::kBackward) | kUpdatePhases | phase_bit(Phase::kSyncGather));
}

// Passes, clipping and updates also copy to the device.
bool brings_input(const HostCall& call) { return call.is_input_copy && is_in(call.phase, kInputPhases); }

bool computes(CallClass call) { return launches_work(call) && !is_copy(call); }

// For each call in the order, the first one from it on that launches or blocks; the last call at the end.
std::vector<uint32_t> leads_of(const ProcessTrace& trace, const std::vector<uint32_t>& order) {
  std::vector<uint32_t> leads(order.size());
  for (size_t i = order.size(); i-- > 0;) {
    const CallClass call = trace.calls[order[i]].call_class;
    leads[i] = launches_work(call) || blocks_host(call) || i + 1 == order.size() ? order[i] : leads[i + 1];
  }
  return leads;
}

// A thread that only reads back (a checkpoint's) works beside the training, which does not wait for it.
std::vector<uint32_t> training_calls_in_order(const ProcessTrace& trace) {
  const LaunchedWork work(trace);
  std::vector<bool> trains(trace.threads.size(), false);
  trains[main_thread(trace)] = true;
  for (uint32_t i = 0; i < trace.calls.size(); ++i)
    if (launches_work(trace.calls[i].call_class) && !work.copies_back(i)) trains[trace.calls[i].thread] = true;
  std::vector<uint32_t> order = outermost_calls_in_order(trace);
  std::erase_if(order, [&](uint32_t call) { return !trains[trace.calls[call].thread]; });
  return order;
}

// Adds time to phases, moving forward. A phase range of the main thread overrides the given phase.
class HostShare {
 public:
  HostShare(const PhaseTrack& main_ranges, const BlockedHost& blocked, std::vector<PhaseSlice>* slices)
      : cursor_(main_ranges), changes_(main_ranges.changes()), blocked_(blocked), share_(slices) {}

  void start_step(HostTimes& sums) { share_.start_step(sums); }

  // `call`: in progress; null: none.
  void add(Nanoseconds start, Nanoseconds end, Phase phase, const HostCall* call) {
    while (start < end) {
      const std::optional<Phase> range = cursor_.at(start);
      while (next_ < changes_.size() && changes_[next_].time <= start) ++next_;
      const Nanoseconds until = next_ < changes_.size() ? std::min(end, changes_[next_].time) : end;
      share_.add(start, until, range.value_or(phase), call == nullptr ? 0 : blocked_.within(*call, start, until));
      start = until;
    }
  }

 private:
  PhaseTrack::Cursor cursor_;
  const std::vector<PhaseTrack::Change>& changes_;
  const BlockedHost& blocked_;
  PhaseShare share_;
  size_t next_ = 0;
};

class HostTime {
 public:
  HostTime(const ProcessTrace& trace, const PhaseTrack& main_ranges, const BlockedHost& blocked,
           std::vector<PhaseSlice>* slices)
      : trace_(trace),
        share_(main_ranges, blocked, slices),
        ranges_(main_ranges),
        marks_data_waits_(main_ranges.has(Phase::kDataloadWait)) {}

  void start(const HostStep& step, HostTimes& sums) {
    step_ = step;
    share_.start_step(sums);
    now_ = step.start;
    may_wait_for_data_ = true;
    is_between_copies_ = false;
    // Calls in progress when the step starts.
    while (!open_.empty() && now_ < step_.end) {
      const HostCall& call = trace_.calls[open_.front()];
      spend(call);
      if (call.end > step_.end) break;
      open_.pop_front();
    }
  }

  // Calls come by start. Those that outlast the step continue in the next one.
  void add(uint32_t index, uint32_t lead) {
    const HostCall& call = trace_.calls[index];
    if (call.start > now_) {
      share_.add(now_, call.start, phase_before(call, lead), nullptr);
      now_ = call.start;
    }
    add_call(index);
    if (launches_work(call.call_class) || blocks_host(call.call_class)) previous_ = call.phase;
    if (launches_work(call.call_class)) is_between_copies_ = brings_input(call);
    if (computes(call.call_class)) may_wait_for_data_ = false;
  }

  void end() { share_.add(now_, step_.end, Phase::kOther, nullptr); }

 private:
  void add_call(uint32_t index) {
    const HostCall& call = trace_.calls[index];
    if (call.end > step_.end) open_.push_back(index);
    spend(call);
  }

  void spend(const HostCall& call) {
    const Nanoseconds until = std::min(call.end, step_.end);
    if (until <= now_) return;
    share_.add(now_, until, call.phase, &call);
    now_ = until;
  }

  Phase phase_before(const HostCall& call, uint32_t lead) {
    if (!marks_data_waits_ && brings_input(trace_.calls[lead]) && !is_between_copies_ &&
        (may_wait_for_data_ || ends_a_batch(previous_)))
      return Phase::kDataloadWait;
    // The work of a range does not start before the range.
    return ranges_.at(call.start) ? Phase::kOther : call.phase;
  }

  const ProcessTrace& trace_;
  HostShare share_;
  PhaseTrack::Cursor ranges_;
  const bool marks_data_waits_;
  HostStep step_;
  Nanoseconds now_ = 0;
  Phase previous_ = Phase::kOther;  // of the last call that launched or blocked
  bool is_between_copies_ = false;
  bool may_wait_for_data_ = true;  // until the first kernel of the step
  std::deque<uint32_t> open_;      // calls that outlast the step
};

}  // namespace

std::vector<HostTimes> host_time_by_phase(const ProcessTrace& trace, const PhaseRules& rules,
                                          std::vector<PhaseSlice>* slices) {
  std::vector<HostTimes> result(trace.steps.size());
  if (trace.threads.empty()) return result;
  const BlockedHost blocked(trace);
  if (has_named_passes(trace, rules)) return marked_host_time(trace, rules, blocked, slices);
  const std::vector<PhaseTrack> tracks = phase_tracks(trace, rules);
  const std::vector<uint32_t> order = training_calls_in_order(trace);
  HostTime host_time(trace, tracks[main_thread(trace)], blocked, slices);
  const std::vector<uint32_t> leads = leads_of(trace, order);
  size_t next = 0;
  for (size_t index = 0; index < trace.steps.size(); ++index) {
    const HostStep& step = trace.steps[index];
    host_time.start(step, result[index]);
    for (; next < order.size() && trace.calls[order[next]].start < step.end; ++next)
      if (trace.calls[order[next]].start >= step.start) host_time.add(order[next], leads[next]);
    host_time.end();
  }
  return result;
}

}  // namespace tauprof
