// The section of the text report on a job that has not ended: who waits where, and whom for.
#pragma once

#include <string>

#include "metrics/run_progress.h"

namespace tauprof {

// Empty for a job that has ended.
std::string progress_text(const RunProgress& progress);

}  // namespace tauprof
