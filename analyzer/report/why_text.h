// Why a rank waited, in about ten lines.
#pragma once

#include <cstddef>
#include <string>

#include "report/why_report.h"

namespace tauprof {

std::string why_text(const WhyReport& report, size_t width);

}  // namespace tauprof
