// The sections of the text report on steps: how they were found, and their phases.
#pragma once

#include <cstddef>
#include <string>

#include "report/report.h"

namespace tauprof {

std::string steps_text(const Report& report);
// Empty if the steps have no device time.
std::string phases_text(const Report& report, size_t width);

}  // namespace tauprof
