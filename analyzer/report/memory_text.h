// The section of the text report on device memory.
#pragma once

#include <cstddef>
#include <string>

#include "report/report.h"

namespace tauprof {

// Empty where no allocation is known.
std::string memory_text(const Report& report, size_t width);

}  // namespace tauprof
