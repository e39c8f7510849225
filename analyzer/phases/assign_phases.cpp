#include "phases/assign_phases.h"

#include <algorithm>

#include "classify/optimizer_kernels.h"
#include "phases/range_rules.h"

namespace tauprof {
namespace {

// What the kernels launched by a call say of its phase; only optimizer and clipping kernels do.
std::vector<std::optional<Phase>> phases_from_kernels(const ProcessTrace& trace) {
  std::vector<std::optional<Phase>> of_name(trace.names.size());
  std::vector<bool> asked(trace.names.size(), false);
  std::vector<std::optional<Phase>> of_call(trace.calls.size());
  for (const DeviceTrace& device : trace.devices)
    for (const DeviceSpan& span : device.spans) {
      if (span.call == kNoIndex || span.activity != log::ActivityKind::kKernel) continue;
      if (!asked[span.name]) {
        asked[span.name] = true;
        const std::string_view name = trace.names[span.name];
        if (is_clipping_kernel(name))
          of_name[span.name] = Phase::kUnscaleClip;
        else if (is_optimizer_kernel(name))
          of_name[span.name] = Phase::kOptimStep;
      }
      if (of_name[span.name]) of_call[span.call] = of_name[span.name];
    }
  return of_call;
}

bool is_autograd(std::string_view thread_name) { return thread_name.find("pt_autograd") != thread_name.npos; }

struct Context {
  uint16_t main = 0;
  bool has_main = false;
  bool has_other_launcher = false;  // some other thread than the main one launches kernels
};

Context context_of(const ProcessTrace& trace) {
  Context context;
  context.main = main_thread(trace);
  context.has_main = trace.threads[context.main].is_main;
  for (const HostCall& call : trace.calls)
    context.has_other_launcher |=
        call.thread != context.main && (call.call_class == CallClass::kKernel || call.call_class == CallClass::kGemm);
  return context;
}

// Rules 6 to 8, which need the launch before on the same thread.
Phase phase_by_role(const HostCall& call, Phase previous, const Context& context) {
  const bool computes = call.call_class == CallClass::kKernel || call.call_class == CallClass::kGemm;
  if (computes && context.has_main && context.has_other_launcher)
    return call.thread == context.main ? Phase::kForward : Phase::kBackward;
  if (call.call_class == CallClass::kCollective || call.call_class == CallClass::kGroupEnd) return previous;
  const bool after_update = previous == Phase::kOptimStep || previous == Phase::kZeroGradSched;
  if (blocks_host(call.call_class) && after_update) return Phase::kSyncGather;
  return Phase::kOther;
}

void assign_calls(ProcessTrace& trace) {
  const std::vector<PhaseTrack> tracks = phase_tracks(trace);
  const std::vector<std::optional<Phase>> from_kernels = phases_from_kernels(trace);
  const Context context = context_of(trace);
  for (size_t thread = 0; thread + 1 < trace.first_call.size(); ++thread) {
    PhaseTrack::Cursor own(tracks[thread]), main(tracks[context.main]);
    const bool autograd = is_autograd(trace.names[trace.threads[thread].name]);
    Phase previous = Phase::kOther;
    for (uint32_t i = trace.first_call[thread]; i < trace.first_call[thread + 1]; ++i) {
      HostCall& call = trace.calls[i];
      if (call.step == kNoStep) continue;  // a phase is a part of a step
      std::optional<Phase> phase = own.at(call.start);
      const std::optional<Phase> from_main = main.at(call.start);
      if (!phase && autograd) phase = Phase::kBackward;
      if (!phase) phase = from_kernels[i];
      if (!phase && call.is_input_copy) phase = Phase::kHostToDevice;
      if (!phase) phase = from_main;
      call.phase = phase ? *phase : phase_by_role(call, previous, context);
      if (launches_work(call.call_class) && !call.is_input_copy) previous = call.phase;
    }
  }
}

}  // namespace

uint16_t main_thread(const ProcessTrace& trace) {
  for (size_t thread = 0; thread < trace.threads.size(); ++thread)
    if (trace.threads[thread].is_main) return static_cast<uint16_t>(thread);
  for (const HostCall& call : trace.calls)
    if (launches_work(call.call_class)) return call.thread;
  return 0;
}

std::vector<PhaseTrack> phase_tracks(const ProcessTrace& trace) {
  std::vector<std::optional<Phase>> of_name(trace.names.size());
  std::vector<bool> asked(trace.names.size(), false);
  for (const HostRange& range : trace.ranges) {
    if (asked[range.name]) continue;
    asked[range.name] = true;
    of_name[range.name] = phase_of_range(trace.names[range.name]);
  }
  std::vector<PhaseTrack> tracks(trace.threads.size());
  const HostRange* const all = trace.ranges.data();
  for (size_t begin = 0; begin < trace.ranges.size();) {
    size_t end = begin;
    while (end < trace.ranges.size() && trace.ranges[end].thread == trace.ranges[begin].thread) ++end;
    tracks[trace.ranges[begin].thread] = PhaseTrack(all + begin, all + end, of_name);
    begin = end;
  }
  return tracks;
}

void assign_phases(ProcessTrace& trace) {
  assign_calls(trace);
  for (DeviceTrace& device : trace.devices)
    for (DeviceSpan& span : device.spans) {
      const uint32_t call = span.collective != kNoIndex && trace.collectives[span.collective].call != kNoIndex
                                ? trace.collectives[span.collective].call
                                : span.call;
      if (call != kNoIndex) span.phase = trace.calls[call].phase;
    }
}

}  // namespace tauprof
