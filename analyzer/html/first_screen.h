// What the terminal's first screen says and the JSON report has not, for the page's own: the parts of a step by their
// names there, the checks, the cost of recording, what communicators are for, and what each repair leaves.
#pragma once

#include <string>

#include "report/report.h"

namespace tauprof {

std::string first_screen_json(const Report& report);

}  // namespace tauprof
