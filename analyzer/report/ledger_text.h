// The sections of the text report on where the time goes: the ledger, the overlap, and both for each rank.
#pragma once

#include <cstddef>
#include <string>

#include "report/report.h"

namespace tauprof {

// Empty if there is no time to divide.
std::string ledger_text(const Report& report, size_t width);
// Empty for a run without communication.
std::string overlap_text(const Overlap& overlap);
// Empty for a single rank.
std::string ranks_text(const Report& report, size_t width);

}  // namespace tauprof
