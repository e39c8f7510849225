// What each rank is blamed for, by cause and step.
#pragma once

#include <array>
#include <map>
#include <vector>

#include "metrics/stragglers/rank_blame.h"

namespace tauprof {

// Of each rank, by analysed step: ns of others' waiting by cause. Steps without blame are left out.
using StepBlames = std::vector<std::map<size_t, std::array<double, kCauseCount>>>;

BlameTable blame_table(const std::vector<RankTimeline>& ranks, const std::vector<MatchedCollective>& matches,
                       const StepSelection& steps, const TelemetryCauses& telemetry, StepBlames& step_blames);

}  // namespace tauprof
