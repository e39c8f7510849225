// Rounds the parts of a sum to whole nanoseconds that still sum to it.
#pragma once

#include <vector>

#include "model/time.h"

namespace tauprof {

// Each part is rounded down; the nanoseconds that are then missing go to the parts that lost most. Example: 1.5, 1.5
// and 4 of 7 become 2, 1 and 4. `parts` sum to `total` up to rounding.
std::vector<Nanoseconds> apportion(const std::vector<double>& parts, Nanoseconds total);

}  // namespace tauprof
