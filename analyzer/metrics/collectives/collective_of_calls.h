// What the calls of a rank say about its collectives, whether or not the device's part in them is known.
#pragma once

#include <set>

#include "model/rank_timeline.h"

namespace tauprof {

void set_launch(RankCollective& unit, const HostCall& call);

// Adds a call to the unit: its only call, or one of a group's, of which the first says what the unit is.
void add_call(RankCollective& unit, const CollectiveCall& call, const ProcessTrace& trace, bool is_first);

// An all-to-all of two ranks looks like two neighbouring pipeline stages that exchange activations for gradients. But
// such neighbours also send without receiving, when the pipeline fills and when it drains. `with_one_way`: the
// communicators on which some unit only sends or only receives.
bool is_exchange_of_neighbours(const RankCollective& unit, const std::set<uint64_t>& with_one_way);

// Recognises an all-to-all made of sends to and receives from every other rank.
void recognise_all_to_all(RankCollective& unit);

}  // namespace tauprof
