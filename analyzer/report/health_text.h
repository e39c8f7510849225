// The checklist of `tauprof health`: for the terminal, and for continuous integration.
#pragma once

#include <string>
#include <vector>

#include "findings/health.h"
#include "report/text_style.h"

namespace tauprof {

// A line each: outcome, check, what was found, the limit.
std::string health_text(const std::vector<HealthCheck>& checks, const TextStyle& style);
// `run`: its id.
std::string health_markdown(const std::vector<HealthCheck>& checks, const std::string& run);
// A test for each check; what cannot be told is skipped.
std::string health_junit(const std::vector<HealthCheck>& checks);

}  // namespace tauprof
