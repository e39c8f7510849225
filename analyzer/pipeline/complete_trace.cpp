#include "pipeline/complete_trace.h"

#include "classify/flash_attention.h"
#include "classify/span_classes.h"
#include "phases/assign_phases.h"
#include "steps/host_steps.h"

namespace tauprof {

void find_steps_of_trace(ProcessTrace& trace) {
  classify_spans(trace);
  count_flash_attention(trace);
  find_host_steps(trace);
}

void complete_trace(ProcessTrace& trace, const PhaseRules& rules, NativeSymbols& symbols) {
  symbols.name_frames(trace);
  find_steps_of_trace(trace);
  assign_phases(trace, rules);
}

}  // namespace tauprof
