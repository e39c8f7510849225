// Answers to what-if questions, as a table for the terminal.
#pragma once

#include <cstddef>
#include <string>

#include "report/whatif_report.h"

namespace tauprof {

std::string whatif_text(const WhatIfReport& report, size_t width);

}  // namespace tauprof
