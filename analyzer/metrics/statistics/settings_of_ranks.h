// The framework's settings over all ranks.
#pragma once

#include <string>
#include <vector>

#include "model/rank_timeline.h"

namespace tauprof {

// The setting's value if all ranks have the same; else empty.
std::string common_setting(const std::vector<const RankTimeline*>& ranks, const char* name);

// The same, of an integer; 0: not known.
double common_number(const std::vector<const RankTimeline*>& ranks, const char* name);

}  // namespace tauprof
