// What would be without a straggler; the finding about it is in finders.h.
#pragma once

#include "metrics/stragglers/stragglers.h"
#include "replay/repair.h"

namespace tauprof {

Repair repair_of(const Straggler& straggler);

}  // namespace tauprof
