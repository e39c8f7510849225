// The section of the text report on stragglers.
#pragma once

#include <string>

#include "report/report.h"

namespace tauprof {

// Empty for a single rank.
std::string stragglers_text(const Report& report);

}  // namespace tauprof
