// What a run would have been, as a table for the terminal.
#pragma once

#include <string>

#include "report/whatif_report.h"

namespace tauprof {

std::string whatif_text(const WhatIfReport& report);

}  // namespace tauprof
