// The line of the first screen that says what recording cost the job, and whether the report is of the job without it.
#pragma once

#include <string>

#include "report/report.h"

namespace tauprof {

// Empty where nothing is known and nothing rests on it.
std::string cost_line(const Report& report, size_t width);

}  // namespace tauprof
