// Memory in use at the ends of steps, as few points as a curve needs.
#pragma once

#include <vector>

#include "metrics/memory/memory_table.h"

namespace tauprof {

// All of few points. Of many, those with the least and the most bytes of each of 64 equal stretches, so that no peak is
// lost, besides the first and the last: as many in each part of the run.
std::vector<MemoryAtStep> points_of_curve(const std::vector<MemoryAtStep>& all);

}  // namespace tauprof
