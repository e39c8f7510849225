#include "metrics/stragglers/pipeline_stages.h"

#include <algorithm>

namespace tauprof {
namespace {

StageOfRank stage_of(const RankTimeline& rank) {
  const RankCollective* first = nullptr;
  bool is_ring = true;
  for (const RankCollective& own : rank.collectives) {
    if (own.peer_calls.empty()) continue;
    if (!own.has_identity || own.communicator_rank < 0 || own.communicator_size < 2) return {};
    if (first != nullptr && first->communicator != own.communicator) return {};
    first = &own;
    is_ring &= !own.is_one_way();
  }
  if (first == nullptr || is_ring) return {};
  return {first->communicator_rank, first->communicator_size};
}

}  // namespace

PipelineStages::PipelineStages(const std::vector<RankTimeline>& ranks, const std::vector<MatchedCollective>& matches) {
  for (const RankTimeline& rank : ranks) stages_.push_back(stage_of(rank));
  for (const MatchedCollective& match : matches) {
    if (!match.has_identity || match.members.empty()) continue;
    const StageOfRank first = stages_[match.members.front().rank];
    if (std::any_of(match.members.begin(), match.members.end(),
                    [&](const CollectiveMember& member) { return stages_[member.rank] != first; }))
      between_.insert(match.communicator);
  }
}

bool PipelineStages::lies_between(const RankCollective& collective) const {
  return collective.has_identity && between_.count(collective.communicator) > 0;
}

bool PipelineStages::lies_between(const MatchedCollective& match) const {
  return match.is_point_to_point || (match.has_identity && between_.count(match.communicator) > 0);
}

}  // namespace tauprof
