// Gives every (process, device) pair its rank number.
//
// The number in the log counts. A process that has one number but used several devices keeps it for the device with the
// most work. Without any number, or if numbers collide within one process, pairs are numbered by process and device. A
// second log of a rank is left out.
#pragma once

#include <string>
#include <vector>

#include "model/rank_timeline.h"

namespace tauprof {

// Sorts by rank. Returns a line for each pair that was left out or renumbered.
std::vector<std::string> number_ranks(std::vector<RankTimeline>& ranks);

}  // namespace tauprof
