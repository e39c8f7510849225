// Which findings are repairs, of which the first screen and the digest speak.
#pragma once

#include <vector>

#include "report/report.h"

namespace tauprof {

// Is said whatever it costs.
bool is_urgent(const Finding& finding);

// The mean step that repairs are compared with.
double step_before(const Report& report);

// The subject of the verdict comes first.
std::vector<const Finding*> repairs_of(const Report& report);

}  // namespace tauprof
