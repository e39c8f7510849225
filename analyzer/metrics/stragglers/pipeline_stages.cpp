#include "metrics/stragglers/pipeline_stages.h"

#include <algorithm>
#include <map>
#include <set>

namespace tauprof {
namespace {

// Where all of the rank's messages go over one communicator.
StageOfRank place_of(const RankTimeline& rank) {
  const RankCollective* first = nullptr;
  for (const RankCollective& collective : rank.collectives) {
    if (collective.rare->peer_calls.empty()) continue;
    if (!collective.has_identity || collective.communicator_rank < 0 || collective.communicator_size < 2) return {};
    if (first != nullptr && first->communicator != collective.communicator) return {};
    first = &collective;
  }
  return first == nullptr ? StageOfRank{} : StageOfRank{first->communicator_rank, first->communicator_size};
}

bool is_in_ring(const RankTimeline& rank) {
  return std::none_of(rank.collectives.begin(), rank.collectives.end(),
                      [](const RankCollective& collective) { return collective.is_one_way(); });
}

using Neighbours = std::map<uint32_t, std::set<uint32_t>>;

// Who exchanges messages with whom.
Neighbours neighbours_by_messages(const std::vector<MatchedCollective>& matches) {
  Neighbours found;
  for (const MatchedCollective& match : matches) {
    if (!match.is_point_to_point || match.members.size() != 2) continue;
    const uint32_t one = match.members[0].rank, other = match.members[1].rank;
    if (one == other) continue;
    found[one].insert(other);
    found[other].insert(one);
  }
  return found;
}

// The ranks that `first` reaches, each with one further neighbour, in this order; empty: they are no chain.
std::vector<uint32_t> chain_from(uint32_t first, const Neighbours& neighbours) {
  std::vector<uint32_t> chain{first};
  uint32_t before = kNoIndex;
  for (;;) {
    const std::set<uint32_t>& next = neighbours.at(chain.back());
    if (next.size() > 2) return {};
    const auto other = std::find_if(next.begin(), next.end(), [&](uint32_t rank) { return rank != before; });
    if (other == next.end() || *other == first) return chain;
    before = chain.back();
    chain.push_back(*other);
  }
}

// By place in the chain of who exchanges messages with whom. A chain starts at the end with the lower rank; one that is
// closed, as by interleaved stages, at its lowest rank.
std::vector<StageOfRank> places_in_chains(size_t ranks, const std::vector<MatchedCollective>& matches) {
  std::vector<StageOfRank> places(ranks);
  const Neighbours neighbours = neighbours_by_messages(matches);
  for (const bool is_closed : {false, true})
    for (const auto& [rank, next] : neighbours) {
      if (places[rank].is_known() || (!is_closed && next.size() != 1)) continue;
      const std::vector<uint32_t> chain = chain_from(rank, neighbours);
      for (size_t i = 0; i < chain.size(); ++i)
        places[chain[i]] = {static_cast<int32_t>(i), static_cast<int32_t>(chain.size())};
    }
  return places;
}

}  // namespace

PipelineStages::PipelineStages(const std::vector<RankTimeline>& ranks, const std::vector<MatchedCollective>& matches) {
  places_ = places_in_chains(ranks.size(), matches);
  for (size_t rank = 0; rank < ranks.size(); ++rank) {
    if (!places_[rank].is_known()) places_[rank] = place_of(ranks[rank]);
    stages_.push_back(is_in_ring(ranks[rank]) ? StageOfRank{} : places_[rank]);
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
