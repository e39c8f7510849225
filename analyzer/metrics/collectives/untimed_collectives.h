// A rank's collectives where no device times say when they ran: as the host called them.
//
// The calls of one group on one communicator are one unit, as on a device, and so are sends and receives with all other
// members an all-to-all. Example: between ncclGroupStart and ncclGroupEnd a rank calls ncclAllReduce twice on one
// communicator: one unit, launched by the ncclGroupEnd. A unit belongs to the step in which it was launched.
// Communicators of one rank exchange nothing and are left out.
#pragma once

#include <vector>

#include "model/rank_timeline.h"
#include "steps/step_windows.h"

namespace tauprof {

// By launch. Their `start` and `end` stay 0: nobody knows them.
std::vector<RankCollective> untimed_collectives(const ProcessTrace& trace, const DeviceTrace& device,
                                                const std::vector<StepWindow>& steps);

}  // namespace tauprof
