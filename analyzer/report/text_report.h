// The report for the terminal: what took the time, who is to blame, what to do. Plain text, 100 columns. Sections for
// which the run has nothing are left out.
#pragma once

#include <string>

#include "report/report.h"

namespace tauprof {

std::string text_report(const Report& report);

}  // namespace tauprof
