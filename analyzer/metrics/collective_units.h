// The collectives of a rank, from its communication spans: the calls of one group on one
// communicator are one unit, from the first kernel's start to the last one's end. A kernel without a
// recorded call is a unit by itself; a framework's annotation around its launch ("nccl:all_to_all")
// or its own name says what it does.
#pragma once

#include <vector>

#include "model/rank_timeline.h"

namespace tauprof {

struct CollectiveUnits {
  std::vector<RankCollective> units;   // by start
  std::vector<uint32_t> unit_of_span;  // kNoIndex for spans that do not communicate
  std::vector<uint32_t> spans_left;    // of each unit
  std::vector<uint32_t> launch_call;   // of each unit: the host call; kNoIndex where it is not known
};

CollectiveUnits collective_units(const ProcessTrace& trace, const DeviceTrace& device);

}  // namespace tauprof
