#include "phases/assign_phases.h"

#include "phases/inferred_phases.h"
#include "phases/launched_work.h"
#include "phases/marked_phases.h"
#include "phases/range_phases.h"
#include "phases/spoken_phases.h"

namespace tauprof {
namespace {

void assign_marked_calls(ProcessTrace& trace, const LaunchedWork& work, const PhaseRules& rules) {
  const std::vector<PhaseTrack> tracks = marked_tracks(trace, work, rules);
  for (size_t thread = 0; thread + 1 < trace.first_call.size(); ++thread) {
    PhaseTrack::Cursor phases(tracks[thread]);
    for (uint32_t i = trace.first_call[thread]; i < trace.first_call[thread + 1]; ++i) {
      HostCall& call = trace.calls[i];
      const std::optional<Phase> phase = phases.at(call.start);
      if (call.step == kNoStep) continue;
      const NameId kernel = work.kernel[i];
      const std::optional<Phase> by_rule =
          kernel == kNoName ? std::nullopt : rules.phase_of_kernel(trace.names[kernel]);
      call.phase = by_rule.value_or(phase.value_or(Phase::kOther));
    }
  }
}

}  // namespace

std::vector<PhaseTrack> phase_tracks(const ProcessTrace& trace, const PhaseRules& rules) {
  RangePhases phases(trace, rules);
  std::vector<PhaseTrack> tracks(trace.threads.size());
  const HostRange* const all = trace.ranges.data();
  for (size_t start = 0; start < trace.ranges.size();) {
    size_t end = start;
    while (end < trace.ranges.size() && trace.ranges[end].thread == trace.ranges[start].thread) ++end;
    tracks[trace.ranges[start].thread] = PhaseTrack(all + start, all + end, phases);
    start = end;
  }
  return tracks;
}

void assign_phases(ProcessTrace& trace, const PhaseRules& rules) {
  const LaunchedWork work(trace);
  if (has_named_passes(trace, rules))
    assign_marked_calls(trace, work, rules);
  else
    infer_phases(trace, work, phase_tracks(trace, rules), rules);
  for (DeviceTrace& device : trace.devices)
    for (DeviceSpan& span : device.spans) {
      const uint32_t call = span.collective != kNoIndex && trace.collectives[span.collective].call != kNoIndex
                                ? trace.collectives[span.collective].call
                                : span.call;
      if (call != kNoIndex) span.phase = trace.calls[call].phase;
    }
}

}  // namespace tauprof
