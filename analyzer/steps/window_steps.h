// The steps of a log that was recorded within a window of steps (TAUPROF_START_STEP, TAUPROF_STEPS, TAUPROF_TRIGGER).
//
// The recorder has seen the whole run, if only its launches, and says in the log which step began when. So steps have
// the numbers that they had in the run, and what was recorded around the wanted ones, because the recorder was not sure
// yet, is left out. Where the search in the log finds other steps than those that were wanted and recorded whole, the
// recorder's count: a few steps say less than many.
#pragma once

#include "model/process_trace.h"
#include "model/step_range.h"
#include "step_search/launch_sequence.h"
#include "steps/unmarked_steps.h"

namespace tauprof {

// What the variables asked for; without them, all.
StepRange wanted_steps(const ProcessTrace& trace);

// `found`: by the search in the log. It is returned as it is where the recorder saw no steps.
FoundSteps steps_in_window(const ProcessTrace& trace, const LaunchSequence& launches, FoundSteps found);

}  // namespace tauprof
