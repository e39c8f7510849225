// Why a rank waited: the chain from its longest wait to the first cause (metrics/stragglers/wait_chain.h), and where
// the rank to blame was meanwhile.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "pipeline/replayed_run.h"
#include "report/why_report.h"

namespace tauprof {

// `step`: its number; none: all analysed steps. An error if the run lacks the rank or the step: it says what it has.
// Adds to `notes` as load_run.
Status explain_wait(const RunChoice& choice, int32_t rank, const std::optional<int64_t>& step, WhyReport& report,
                    std::vector<std::string>& notes);

}  // namespace tauprof
