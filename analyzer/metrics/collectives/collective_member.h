// Names a collective of a rank, whether or not it has device times.
#pragma once

#include <cstdint>
#include <vector>

#include "model/rank_timeline.h"

namespace tauprof {

struct CollectiveMember {
  uint32_t rank = 0;        // index into the run's timelines
  uint32_t collective = 0;  // index into RankTimeline::collectives, or untimed_collectives
  bool receives = false;    // in a message: this is the receiver
  bool is_timed = true;
};

// The collective that the member carried out.
inline const RankCollective& called(const std::vector<RankTimeline>& ranks, const CollectiveMember& member) {
  const RankTimeline& rank = ranks[member.rank];
  return (member.is_timed ? rank.collectives : rank.untimed_collectives)[member.collective];
}

}  // namespace tauprof
