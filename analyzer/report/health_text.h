// The checklist of `tauprof health`: for the terminal, and as JSON.
#pragma once

#include <string>
#include <vector>

#include "findings/health.h"
#include "report/text_style.h"

namespace tauprof {

// A line each: outcome, check, what was found, the limit.
std::string health_text(const std::vector<HealthCheck>& checks, const TextStyle& style);
// `run`: its id.
std::string health_json(const std::vector<HealthCheck>& checks, const std::string& run);

}  // namespace tauprof
