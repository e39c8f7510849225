#include "phases/assign_phases.h"

#include "phases/call_facts.h"
#include "phases/call_rules.h"
#include "phases/marked_phases.h"
#include "phases/spoken_phases.h"

namespace tauprof {
namespace {

// The phases of one thread's calls, in their order.
class ThreadPhases {
 public:
  ThreadPhases(ProcessTrace& trace, const CallFacts& facts, CallRules& rules, const PhaseTrack& own,
               const PhaseTrack& main, uint64_t& steps)
      : trace_(trace),
        facts_(facts),
        rules_(rules),
        updates_have_ranges_(own.has(Phase::kOptimStep) || main.has(Phase::kOptimStep)),
        own_(own),
        main_(main),
        launched_in_(trace.names.size(), kNoStep),
        steps_(steps) {}

  void take(uint32_t index) {
    HostCall& call = trace_.calls[index];
    if (call.step == kNoStep) return;  // outside of all steps: no phase
    if (call.step != step_) start_step(call.step);
    then_.reset();
    const std::optional<Phase> phase = phase_of(index);
    if (!phase) {
      (launches_work(call.call_class) ? waiting_launches_ : waiting_).push_back(index);
      return;
    }
    call.phase = *phase;
    if (!launches_work(call.call_class)) return;
    settle(*phase, false, is_in_range_);
    remember(call, then_.value_or(*phase));
    remember(facts_.kernel(index));
  }
  void end() { settle(Phase::kOther, true, false); }

 private:
  void start_step(int32_t step) {
    settle(Phase::kOther, true, false);
    step_ = step;
    launched_ = {.number = ++steps_};
    previous_ = Phase::kOther;
  }

  // Settles the calls that wait for what comes next: launches wait for the next pass over the model, others for the
  // next launch. A launch inside a range gives them no phase, because the work of a range does not start before the
  // range.
  void settle(Phase phase, bool is_end, bool is_in_range) {
    const bool is_pass = is_in(phase, kPassPhases);
    const auto settle_all = [&](std::vector<uint32_t>& calls) {
      for (const uint32_t index : calls) trace_.calls[index].phase = is_in_range ? Phase::kOther : phase;
      calls.clear();
    };
    settle_all(waiting_);
    if (is_pass || is_end) settle_all(waiting_launches_);
  }

  void remember(const HostCall& call, Phase phase) {
    // Input comes at any time. But on a thread that launches everything, it brings the next micro-batch.
    const uint32_t is_after_copy = phase_bit(Phase::kHostToDevice);
    launched_.phases &= ~is_after_copy;
    if (call.is_input_copy) {
      if (!facts_.has_several() && previous_ == Phase::kBackward) launched_.phases = kAfterNothing;
      launched_.phases |= is_after_copy;
      return;
    }
    if (phase == Phase::kOther) return;
    previous_ = phase;
    launched_.phases = phase_bit(phase);
  }

  void remember(NameId kernel) {
    if (kernel == kNoName || launched_in_[kernel] == step_) return;
    launched_in_[kernel] = step_;
    launched_.kernels.push_back(kernel);
  }

  // nullopt: the phase of what comes next.
  std::optional<Phase> phase_of(uint32_t index) {
    const HostCall& call = trace_.calls[index];
    const std::optional<Phase> own = own_.at(call.start), main = main_.at(call.start);
    is_in_range_ = own.has_value();
    if (own) return own;
    for (const CallRule* const rule : rules_.candidates(index)) {
      if (updates_have_ranges_ && is_update_by_order(*rule)) continue;
      if (!rules_.fits(*rule, index, launched_)) continue;
      if (rule->target == RuleTarget::kNext) return std::nullopt;
      if (rule->target == RuleTarget::kRange && !main) continue;
      then_ = rule->then;
      return rule->target == RuleTarget::kRange      ? main
             : rule->target == RuleTarget::kPrevious ? previous_
                                                     : rule->phase;
    }
    const bool prepares = !launches_work(call.call_class) && !blocks_host(call.call_class);
    return prepares ? std::nullopt : std::optional(Phase::kOther);
  }

  static bool is_update_by_order(const CallRule& rule) {
    return rule.target == RuleTarget::kPhase && rule.phase == Phase::kOptimStep && (rule.parts != 0 || rule.after != 0);
  }

  ProcessTrace& trace_;
  const CallFacts& facts_;
  CallRules& rules_;
  const bool updates_have_ranges_;  // the trace says where they start and end
  PhaseTrack::Cursor own_, main_;
  std::vector<int32_t> launched_in_;  // by kernel name: the last step in which this thread launched it
  int32_t step_ = kNoStep;
  uint64_t& steps_;  // started so far, of all threads
  LaunchedBefore launched_;
  Phase previous_ = Phase::kOther;
  std::optional<Phase> then_;
  bool is_in_range_ = false;  // of the latest call
  std::vector<uint32_t> waiting_, waiting_launches_;
};

void assign_calls(ProcessTrace& trace, const PhaseRules& rules) {
  const std::vector<PhaseTrack> tracks = phase_tracks(trace, rules);
  const CallFacts facts(trace);
  CallRules call_rules(trace, facts, rules);
  uint64_t steps = 0;
  for (size_t thread = 0; thread + 1 < trace.first_call.size(); ++thread) {
    if (trace.first_call[thread] == trace.first_call[thread + 1]) continue;
    ThreadPhases phases(trace, facts, call_rules, tracks[thread], tracks[facts.main()], steps);
    for (uint32_t i = trace.first_call[thread]; i < trace.first_call[thread + 1]; ++i) phases.take(i);
    phases.end();
  }
}

void assign_marked_calls(ProcessTrace& trace, const PhaseRules& rules) {
  const std::vector<PhaseTrack> tracks = marked_tracks(trace, rules);
  for (size_t thread = 0; thread + 1 < trace.first_call.size(); ++thread) {
    PhaseTrack::Cursor phases(tracks[thread]);
    for (uint32_t i = trace.first_call[thread]; i < trace.first_call[thread + 1]; ++i) {
      HostCall& call = trace.calls[i];
      const std::optional<Phase> phase = phases.at(call.start);
      if (call.step != kNoStep) call.phase = phase.value_or(Phase::kOther);
    }
  }
}

}  // namespace

std::vector<PhaseTrack> phase_tracks(const ProcessTrace& trace, const PhaseRules& rules) {
  std::vector<std::optional<Phase>> of_name(trace.names.size());
  std::vector<bool> asked(trace.names.size(), false);
  for (const HostRange& range : trace.ranges) {
    if (asked[range.name]) continue;
    asked[range.name] = true;
    of_name[range.name] = rules.phase_of_range(trace.names[range.name]);
  }
  std::vector<PhaseTrack> tracks(trace.threads.size());
  const HostRange* const all = trace.ranges.data();
  for (size_t start = 0; start < trace.ranges.size();) {
    size_t end = start;
    while (end < trace.ranges.size() && trace.ranges[end].thread == trace.ranges[start].thread) ++end;
    tracks[trace.ranges[start].thread] = PhaseTrack(all + start, all + end, of_name);
    start = end;
  }
  return tracks;
}

void assign_phases(ProcessTrace& trace, const PhaseRules& rules) {
  if (speaks_of_passes(trace, rules))
    assign_marked_calls(trace, rules);
  else
    assign_calls(trace, rules);
  for (DeviceTrace& device : trace.devices)
    for (DeviceSpan& span : device.spans) {
      const uint32_t call = span.collective != kNoIndex && trace.collectives[span.collective].call != kNoIndex
                                ? trace.collectives[span.collective].call
                                : span.call;
      if (call != kNoIndex) span.phase = trace.calls[call].phase;
    }
}

}  // namespace tauprof
