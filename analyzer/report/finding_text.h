// The verdict and the findings, with their evidence and advice: the first section of the text report.
#pragma once

#include <string>

#include "report/report.h"

namespace tauprof {

std::string findings_text(const Report& report);

}  // namespace tauprof
