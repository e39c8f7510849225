// A rank's collectives as units, made from its communication spans.
//
// The calls of one group on one communicator are one unit, from the first kernel's start to the last kernel's end. A
// kernel without a recorded call is a unit of its own. What it does is read from a framework's annotation around its
// launch ("nccl:all_to_all"), or else from its name.
#pragma once

#include <vector>

#include "model/rank_timeline.h"

namespace tauprof {

struct CollectiveUnits {
  std::vector<RankCollective> units;   // by start
  std::vector<uint32_t> unit_of_span;  // kNoIndex for spans that do not communicate
  std::vector<uint32_t> launch_call;   // of each unit: the host call that launched it; kNoIndex: not known
};

CollectiveUnits collective_units(const ProcessTrace& trace, const DeviceTrace& device);

}  // namespace tauprof
