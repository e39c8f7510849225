// The section of the text report on a job that has not ended: who waits where, and for whom.
#pragma once

#include <cstddef>
#include <string>

#include "metrics/hangs/job_progress.h"

namespace tauprof {

// Empty for a job that has ended.
std::string progress_text(const JobProgress& progress, size_t width);

}  // namespace tauprof
