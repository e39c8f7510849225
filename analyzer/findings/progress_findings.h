// Findings about jobs that hang and about ranks that did not call the same collectives.
#pragma once

#include <string_view>
#include <vector>

#include "findings/find.h"

namespace tauprof {

std::string_view explanation_of(SuspectReason reason);

void add_progress_findings(const RunMetrics& metrics, std::vector<Finding>& found);

}  // namespace tauprof
