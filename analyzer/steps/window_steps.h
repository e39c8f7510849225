// The steps of a log with a window of wanted steps (TAUPROF_START_STEP, TAUPROF_STEPS, TAUPROF_TRIGGER).
//
// The recorder saw every launch of the run and says in the log when each step started. So the steps keep the numbers
// that they had in the run, and whatever was recorded around the wanted ones, while the recorder was not sure yet, is
// left out. If the search in the log finds other steps than those that were wanted and wholly recorded, the recorder's
// steps win, because it saw the whole run.
#pragma once

#include <string_view>

#include "model/process_trace.h"
#include "model/step_range.h"
#include "step_search/launch_sequence.h"
#include "steps/unmarked_steps.h"

namespace tauprof {

// What the log's attribute steps_seen_by says where the framework's marks counted the recorder's steps.
inline constexpr std::string_view kSeenByPytorch = "pytorch";

// The steps that the variables ask for; without them, all.
StepRange wanted_steps(const ProcessTrace& trace);

// `found`: by the search in the log. Returned unchanged if the recorder found no steps.
FoundSteps steps_in_window(const ProcessTrace& trace, const LaunchSequence& launches, FoundSteps found);

// Gives steps that were found in the log the numbers that the recorder gave them, and leaves out those that were not
// wanted or not wholly recorded. Without steps of the recorder they stay as they are.
void number_as_recorded(const ProcessTrace& trace, std::vector<HostStep>& steps);

}  // namespace tauprof
