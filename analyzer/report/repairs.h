// Which findings are repairs, of which the first screen and the digest speak.
#pragma once

#include <string>
#include <vector>

#include "report/report.h"

namespace tauprof {

// Is said whatever it costs.
bool is_urgent(const Finding& finding);

// The mean step that repairs are compared with.
double step_before(const Report& report);

// The subject of the verdict comes first.
std::vector<const Finding*> repairs_of(const Report& report);

// The question to `tauprof whatif` that asks for a finding's repair.

// "--fix rank:2 --steps 10:20"; empty: no option says the repair.
std::string whatif_options(const Finding& finding, const Report& report);

// "tauprof whatif logs --fix rank:2 --steps 10:20", of a finding with options.
std::string whatif_command(const Finding& finding, const Report& report);

// That, where it has an answer; of a finding about the job, which has no price, what shows the section on it; else
// empty.
std::string next_command(const Finding& finding, const Report& report);

}  // namespace tauprof
