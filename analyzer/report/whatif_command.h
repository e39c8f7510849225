// The question to `tauprof whatif` that asks for a finding's repair.
#pragma once

#include <string>

#include "report/report.h"

namespace tauprof {

// "--fix rank:2 --steps 10:20"; empty: no option says the repair.
std::string whatif_options(const Finding& finding, const Report& report);

// "tauprof whatif logs --fix rank:2 --steps 10:20", of a finding with options.
std::string whatif_command(const Finding& finding, const Report& report);

}  // namespace tauprof
