// The program's answers as JSON. Each document is lists of its keys (fields.h), from which the build makes its schema,
// the Python types and the tables in docs.
#pragma once

#include <string>
#include <vector>

#include "findings/health.h"
#include "report/report.h"
#include "report/whatif_report.h"

namespace tauprof {

// "tauprof.report/2", described in docs/metrics.md.
std::string json_report(const Report& report);
// A digest in about 40 lines, for scripts and assistants: what the first screen says, as values. Each line is a key, so
// that a reader of lines finds its way, too.
std::string brief_json(const Report& report);
// `run`: its id.
std::string health_json(const std::vector<HealthCheck>& checks, const std::string& run);
std::string whatif_json(const WhatIfReport& report);

// Their JSON schemas, draft 2020-12. Each key's description is its sentence.
std::string report_schema();
std::string brief_schema();
std::string health_schema();
std::string whatif_schema();

}  // namespace tauprof
