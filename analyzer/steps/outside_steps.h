// The part of a rank's recording that lies in no step, neither on the host nor on the device.
//
// Recorded is the time from the first call, range or device work to the last. Example: recorded from 0 to 100, steps on
// the host at [20, 40) and [40, 60), and the second one's device window ends at 65: 20 lie before the first step,
// nothing between steps, 35 after the last.
#pragma once

#include <vector>

#include "model/outside_steps.h"
#include "steps/step_windows.h"

namespace tauprof {

OutsideSteps outside_steps(const ProcessTrace& trace, const DeviceTrace& device,
                           const std::vector<StepWindow>& windows);

}  // namespace tauprof
