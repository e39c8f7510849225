// The report as JSON, schema "tauprof.report/2". docs/metrics.md describes every key.
#pragma once

#include <string>

#include "report/report.h"

namespace tauprof {

std::string json_report(const Report& report);

}  // namespace tauprof
