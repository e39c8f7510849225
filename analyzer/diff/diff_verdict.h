// The comparison in one line.
#pragma once

#include <string>

#include "diff/diff.h"

namespace tauprof {

// Example: step 1.221 s → 1.102 s, −9.7 % (95 % interval −10.4 … −9.1 %, p = 2e-9)
std::string verdict_text(const Diff& diff);

// Why there is no verdict; empty if there is one.
std::string not_judged_because(const Diff& diff);

}  // namespace tauprof
