// A rank's collectives as units, made from its communication spans.
//
// The calls of one group on one communicator are one unit, from the first kernel's start to the last kernel's end. A
// kernel without a recorded call is a unit of its own. What it does is read from a framework's annotation around its
// launch ("nccl:all_to_all"), or else from its name.
#pragma once

#include <vector>

#include "model/rank_timeline.h"
#include "steps/step_windows.h"

namespace tauprof {

struct CollectiveUnits {
  std::vector<RankCollective> units;   // by start
  std::vector<uint32_t> unit_of_span;  // kNoIndex for spans that do not communicate
  std::vector<uint32_t> launch_call;   // of each unit: the host call that launched it; kNoIndex: not known
};

CollectiveUnits collective_units(const ProcessTrace& trace, const DeviceTrace& device);

// A rank's collectives where no device times say when they ran: as the host called them. Of a rank with device times,
// these are what graphs ran whose nodes have no records: each launch of such a graph has one span for all that is in
// it.
//
// The calls of one group on one communicator are one unit, as on a device, and so are sends and receives with all other
// members an all-to-all. Example: between ncclGroupStart and ncclGroupEnd a rank calls ncclAllReduce twice on one
// communicator: one unit, launched by the ncclGroupEnd. A unit belongs to the step in which it was launched, or, in a
// graph with a span, in whose device window that starts. Communicators of one rank exchange nothing and are left out.
//
// By launch. Their `start` and `end` stay 0: nobody knows them. `is_timed`: whether the rank has device times.
std::vector<RankCollective> untimed_collectives(const ProcessTrace& trace, const DeviceTrace& device,
                                                const std::vector<StepWindow>& steps, bool is_timed);

}  // namespace tauprof
