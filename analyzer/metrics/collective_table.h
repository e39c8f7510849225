// The collectives of a run, one line for each communicator, operation, type and size.
#pragma once

#include <vector>

#include "metrics/run_metrics.h"

namespace tauprof {

std::vector<CollectiveMetrics> collective_table(const std::vector<RankTimeline>& ranks,
                                                const std::vector<MatchedCollective>& matches,
                                                const StepSelection& steps);

}  // namespace tauprof
