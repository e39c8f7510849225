// The section of the text report on the input: each rank's waiting for it, and copying it.
#pragma once

#include <cstddef>
#include <string>

#include "report/report.h"

namespace tauprof {

// Empty if no rank waits for input or copies any.
std::string input_text(const Report& report, size_t width);

}  // namespace tauprof
