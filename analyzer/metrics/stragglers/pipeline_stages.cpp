#include "metrics/stragglers/pipeline_stages.h"

#include <algorithm>

namespace tauprof {
namespace {

// Where all of the rank's messages go over one communicator.
StageOfRank place_of(const RankTimeline& rank) {
  const RankCollective* first = nullptr;
  for (const RankCollective& own : rank.collectives) {
    if (own.peer_calls.empty()) continue;
    if (!own.has_identity || own.communicator_rank < 0 || own.communicator_size < 2) return {};
    if (first != nullptr && first->communicator != own.communicator) return {};
    first = &own;
  }
  return first == nullptr ? StageOfRank{} : StageOfRank{first->communicator_rank, first->communicator_size};
}

bool is_in_ring(const RankTimeline& rank) {
  return std::none_of(rank.collectives.begin(), rank.collectives.end(),
                      [](const RankCollective& own) { return own.is_one_way(); });
}

}  // namespace

PipelineStages::PipelineStages(const std::vector<RankTimeline>& ranks, const std::vector<MatchedCollective>& matches) {
  for (const RankTimeline& rank : ranks) {
    places_.push_back(place_of(rank));
    stages_.push_back(is_in_ring(rank) ? StageOfRank{} : places_.back());
  }
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
