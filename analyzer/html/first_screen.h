// The data of the terminal's first screen that the JSON report lacks, for the page's first screen: the parts of a step
// by their names there, the checks, the cost of recording, the purpose of each communicator, and the step that each
// repair leaves.
#pragma once

#include <string>

#include "report/report.h"

namespace tauprof {

std::string first_screen_json(const Report& report);

}  // namespace tauprof
