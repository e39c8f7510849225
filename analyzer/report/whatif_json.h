// Answers to what-if questions, as JSON.
#pragma once

#include <string>

#include "report/whatif_report.h"

namespace tauprof {

std::string whatif_json(const WhatIfReport& report);

}  // namespace tauprof
