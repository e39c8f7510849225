// The answer first, in some 25 lines that stand alone: the run, the verdict, where the step goes, what to repair with
// the step that remains, and the checks.
#pragma once

#include <string>

#include "report/report.h"
#include "report/text_style.h"

namespace tauprof {

std::string verdict_text(const Report& report, const TextStyle& style);

}  // namespace tauprof
