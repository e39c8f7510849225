// The report as JSON, schema "tauprof.report/2". docs/metrics.md describes every key.
#pragma once

#include <string>

#include "report/report.h"

namespace tauprof {

std::string json_report(const Report& report);
// The JSON schema of all such reports, draft 2020-12. Each key's description is its sentence.
std::string report_schema();

}  // namespace tauprof
