// Reads a JSON report back, as far as comparing runs needs it.
//
// A report has the durations of steps one by one, and of all else the totals. So the series of rows, phases, kernels
// and collectives have one value, their mean: whether these differ by chance cannot be told from one run on each side.
#pragma once

#include <string>

#include "model/status.h"
#include "report/report.h"

namespace tauprof {

// `path`: what `tauprof analyze --json` wrote.
Status read_report(const std::string& path, Report& report);

}  // namespace tauprof
