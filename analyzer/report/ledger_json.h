// The sections on where the time goes: "ledger", "overlap", and "per_rank" with both for each rank.
#pragma once

#include "report/json_values.h"
#include "report/report.h"

namespace tauprof {

Json ledger_json(const RunMetrics& metrics);
Json overlap_json(const Overlap& of, bool is_timed);
Json per_rank_json(const RunMetrics& metrics);

}  // namespace tauprof
