// Gives every (process, device) pair its rank number.
//
// The number in the log counts. A process that has one number but used several devices keeps it for the device with the
// most work. Without any number, or if numbers collide within one process, pairs are numbered by process and device. Of
// several processes with one rank (a launcher or a helper inherits RANK), the busiest is the rank: the one with the
// most device work, then the most calls. The others are left out.
#pragma once

#include <string>
#include <vector>

#include "model/rank_timeline.h"

namespace tauprof {

// Sorts by rank. Returns a line for each pair that was left out or renumbered.
std::vector<std::string> number_ranks(std::vector<RankTimeline>& ranks);

}  // namespace tauprof
