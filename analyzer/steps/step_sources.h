// The sources of steps, the surest first. host_steps.h says which one counts.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/process_trace.h"
#include "steps/launch_sequence.h"

namespace tauprof {

// Steps of a process on its host clock, and the evidence for them.
struct FoundSteps {
  std::vector<HostStep> steps;  // by start; empty: none were found
  std::string source;           // as in ProcessTrace::steps_source
  std::string reason;           // the evidence in words
  double confidence = 0;        // 0 to 1
};

// Steps as the user chose to mark them with TAUPROF_STEP_MARKER.
//
// With nvtx:GLOB and call:FUNCTION the recorder left a mark in the log for each range or call. kernel:GLOB marks each
// launch of a kernel with a matching name. A step lasts from one mark to the next, on any thread. The last step lasts
// to the end of the range that marks it, or of the recording. Work before the first mark belongs to no step. Example:
// ranges "iteration" at [10, 20] and [30, 40], marked by nvtx:iter*: steps [10, 30] and [30, 40].

// The variable's recorded value; empty: it was not set.
std::string_view chosen_marker(const ProcessTrace& trace);

std::vector<HostStep> find_chosen_steps(const ProcessTrace& trace);

// Steps by what PyTorch says of itself (docs/metrics.md, "Steps and phases").
//
// A step ends with the update that completes a round of all optimizers (update_rounds.h); step_cut.h says where the
// next one starts. Each thread that updates has rounds of its own. Where compilation hides updates, backward passes go
// on without any; then clearing gradients after a pass ends the step, or the next forward pass in a program that never
// clears them. In a program without updates and backward passes each outermost forward pass is a step.
//
// Also says which forward passes are evaluations, in trace.marks.
FoundSteps find_marked_steps(ProcessTrace& trace);

// Steps of a program that does not mark them, by the updates of the model that are known by name (known_updates.h).
//
// Each step has one update, which ends its work; step_bounds.h says where it starts. Updates that their optimizer's
// range or their kernels name are surer than kernels over lists of tensors. The kinds of launches are counted in the
// steps; a kind agrees if nearly every step has the same number of it. The confidence is that of the sign, raised by
// every kind that agrees, or halved if none does. So a run whose optimizer is known by name, with one backward pass and
// five collectives in each step, is as good as marked. A single update makes a single step, of which less is known.
//
// Mere recurrence is no evidence: layers recur within a pass, passes within a step.
// docs/what-fools-inference.md lists the programs that mislead this.
FoundSteps find_updated_steps(const LaunchSequence& sequence);

// Slices of time stand in for unknown steps, so that the ledger and the phases still say when something happened.
//
// A slice is one second of the host. It ends where the wall clock reaches a full second, so that ranks with one clock
// have the same slices no matter when they started. A first or last piece shorter than half a second joins its
// neighbour. Example: a recording from 7.9 s to 11.2 s has the slices [7.9, 9), [9, 10) and [10, 11.2].
//
// From the first call to the last. If only the device was recorded, one slice holds everything.
std::vector<HostStep> time_slices(const ProcessTrace& trace);

}  // namespace tauprof
