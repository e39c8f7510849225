// The report for the terminal: the verdict with its repairs, and the sections that were asked for.
#pragma once

#include <string>

#include "report/report.h"
#include "report/text_style.h"

namespace tauprof {

std::string text_report(const Report& report, const TextStyle& style = {});

}  // namespace tauprof
