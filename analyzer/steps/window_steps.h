// The steps of a log with a window of wanted steps (TAUPROF_START_STEP, TAUPROF_STEPS).
//
// Where PyTorch counted them while the program ran, the log says in the midst of each recorded step which it is. So the
// steps keep the numbers that they had in the run. Where nobody counted, the log starts with the program, so the steps
// found in it have the run's numbers already. The recording around the wanted steps shows where they end, and has no
// window on the device (step_windows.h).
#pragma once

#include "model/process_trace.h"
#include "model/step_range.h"

namespace tauprof {

// The steps that the variables ask for; without them, all.
StepRange wanted_steps(const ProcessTrace& trace);

// Notes which steps were wanted: by their numbers, or by their order where the program numbers them otherwise.
void mark_wanted(const ProcessTrace& trace, std::vector<HostStep>& steps);
void mark_wanted_by_order(const ProcessTrace& trace, std::vector<HostStep>& steps);

// Gives steps that were found in the log the numbers that the recorder gave them, and leaves out those that were not
// wholly recorded. Without numbers of the recorder's they stay as they are.
void number_as_recorded(const ProcessTrace& trace, std::vector<HostStep>& steps);

// The wanted steps from the recorder's numbers alone: for graphs whose capture, with all marks of PyTorch, was outside
// of the window. Each starts with the launch that has its number.
std::vector<HostStep> steps_of_recorder(const ProcessTrace& trace);

}  // namespace tauprof
