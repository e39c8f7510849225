// What blame needs to know of a run before it is traced.
#pragma once

#include <vector>

#include "metrics/stragglers/compute_lead.h"
#include "metrics/stragglers/input_times.h"
#include "metrics/stragglers/kernel_times.h"
#include "metrics/stragglers/peer_spending.h"
#include "metrics/stragglers/pipeline_stages.h"
#include "metrics/stragglers/slow_links.h"

namespace tauprof {

struct BlameTables {
  // `keeps_origins`: shares say what of them was brought from where.
  BlameTables(const std::vector<RankTimeline>& timelines, const std::vector<MatchedCollective>& all_matches,
              bool keeps_origins);

  const RankCollective& unit(uint32_t match, uint32_t member) const {
    const CollectiveMember& which = matches[match].members[member];
    return ranks[which.rank].collectives[which.collective];
  }
  bool is_split(uint32_t match) const;                 // every member is
  Nanoseconds became_ready(uint32_t match) const;      // the latest arrival, on the run's clock

  const std::vector<RankTimeline>& ranks;
  const std::vector<MatchedCollective>& matches;
  const bool keeps_origins;
  PipelineStages stages;
  SpendingTable spending;
  SlowLinks links;
  ComputeLead lead;
  KernelTimes kernel_times;
  InputTimes input_times;
  std::vector<std::vector<uint32_t>> match_of_unit;    // by rank and collective
  std::vector<std::vector<Nanoseconds>> waited_until;  // likewise: at most, in it or in those before it
};

}  // namespace tauprof
