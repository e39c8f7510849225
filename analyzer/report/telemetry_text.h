// Clocks, power, temperature and throttling of the devices, as text.
#pragma once

#include <string>

#include "report/report.h"

namespace tauprof {

std::string telemetry_text(const Report& report, size_t width);

}  // namespace tauprof
