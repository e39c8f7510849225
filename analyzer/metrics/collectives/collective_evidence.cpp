#include "metrics/collectives/collective_evidence.h"

#include <map>
#include <optional>

#include "metrics/collectives/bandwidth.h"
#include "model/operation_names.h"

namespace tauprof {
namespace {

using log::Operation;

struct Proof {
  bool start = false;
  bool end = false;
};

bool is_empty_transfer(const MatchedCollective& match) {
  if (match.is_point_to_point) return match.bytes_out == 0;
  return match.has_identity && match.count == 0 && match.operation != Operation::kBarrier;
}

Proof proof_of(const MatchedCollective& match, const CollectiveMember& member, const RankCollective& collective) {
  if (match.is_point_to_point) return {!member.receives, member.receives};
  const bool is_root = collective.peer >= 0 && collective.peer == collective.communicator_rank;
  if (comes_from_root(match.operation)) return {is_root, !is_root};
  if (goes_to_root(match.operation)) return {!is_root, is_root};
  return {is_all_pairs(match.operation), is_all_pairs(match.operation)};
}

bool proves_anything(const MatchedCollective& match, const std::vector<RankTimeline>& ranks) {
  if (match.members.size() < 2 || is_empty_transfer(match)) return false;
  if (match.is_point_to_point || is_all_pairs(match.operation)) return true;
  for (const CollectiveMember& member : match.members) {
    const RankCollective& collective = ranks[member.rank].collectives[member.collective];
    if (collective.peer >= 0 && collective.peer == collective.communicator_rank) return true;
  }
  return false;
}

// Of an all-to-all, how many elements go to each of the others; of other operations, how many the member passed.
std::optional<int64_t> known_size(const RankCollective& collective) {
  const bool is_of_equal_parts = collective.count > 0 && collective.rare->bytes_out == 0;
  return is_of_equal_parts ? std::optional(collective.count) : std::nullopt;
}

}  // namespace

Ends ends_of(const std::vector<RankTimeline>& ranks, const MatchedCollective& match) {
  if (match.is_point_to_point || !is_all_pairs(match.operation)) return Ends::kApart;
  std::optional<int64_t> size;
  bool are_known = true;
  for (const CollectiveMember& member : match.members) {
    const RankCollective& collective = called(ranks, member);
    const std::optional<int64_t> its = known_size(collective);
    are_known &= its.has_value();
    if (collective.rare->bytes_out > 0 || (its && size && *its != *size)) return Ends::kApart;
    if (its) size = its;
  }
  // Only an all-to-all may be of unequal parts; the others' sizes are the same on all members by their definition.
  return are_known || match.operation != Operation::kAllToAll ? Ends::kCommon : Ends::kNotKnown;
}

ClockEvidence evidence_of(const std::vector<RankTimeline>& ranks, const std::vector<MatchedCollective>& matches) {
  ClockEvidence evidence;
  std::map<std::pair<bool, uint64_t>, uint32_t> groups;
  for (const MatchedCollective& match : matches) {
    if (!proves_anything(match, ranks)) continue;
    const auto group = groups.try_emplace({match.has_identity, match.communicator}, groups.size()).first->second;
    evidence.events.push_back(
        {static_cast<uint32_t>(group), static_cast<uint32_t>(evidence.witnesses.size()), ends_of(ranks, match)});
    for (const CollectiveMember& member : match.members) {
      const RankCollective& collective = ranks[member.rank].collectives[member.collective];
      const Proof proof = proof_of(match, member, collective);
      evidence.witnesses.push_back({member.rank, collective.start, collective.end, proof.start, proof.end});
    }
  }
  return evidence;
}

}  // namespace tauprof
