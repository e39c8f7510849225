// The sections of the text report on steps: how they were found, their phases, and the input.
#pragma once

#include <string>

#include "report/report.h"

namespace tauprof {

std::string steps_text(const Report& report);
std::string phases_text(const Report& report);
// Empty if no rank waits for input or copies any.
std::string input_text(const Report& report);

}  // namespace tauprof
