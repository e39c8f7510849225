// The section of the text report about what of the devices' peak was used.
#pragma once

#include <cstddef>
#include <string>

#include "report/report.h"

namespace tauprof {

std::string efficiency_text(const Report& report, size_t width);

}  // namespace tauprof
