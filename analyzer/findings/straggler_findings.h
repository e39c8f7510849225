// Words and repairs of stragglers; the finding about them is in finders.h.
#pragma once

#include <string_view>

#include "metrics/stragglers/stragglers.h"
#include "replay/repair.h"

namespace tauprof {

// "its kernels run slower"; empty: not known.
std::string_view cause_in_words(Cause cause);

// The run without the straggler.
Repair repair_of(const Straggler& straggler);

}  // namespace tauprof
