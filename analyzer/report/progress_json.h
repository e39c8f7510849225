// The sections "progress" and "mismatches" of the JSON report.
#pragma once

#include "metrics/collectives/collective_mismatch.h"
#include "metrics/hangs/job_progress.h"
#include "report/json_values.h"

namespace tauprof {

Json progress_json(const JobProgress& progress);
Json mismatches_json(const std::vector<CollectiveMismatch>& mismatches);

}  // namespace tauprof
