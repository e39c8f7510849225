#include "run_builder.h"

namespace tauprof {
namespace {

constexpr Nanoseconds kQueued = 10'000'000;  // collectives are launched long before they can run

}  // namespace

RunBuilder::RunBuilder(int ranks) : ranks_(ranks) {
  for (int rank = 0; rank < ranks; ++rank) {
    ranks_[rank].rank = rank;
    ranks_[rank].world_size = ranks;
    ranks_[rank].steps.emplace_back();
    ranks_[rank].steps.back().device = {0, 1'000'000};
  }
}

RankCollective& RunBuilder::collective(int rank, Nanoseconds start, Nanoseconds end, uint64_t communicator,
                                       log::Operation operation, int64_t count) {
  RankCollective added;
  added.start = start;
  added.end = end;
  added.launch_start = start - kQueued;
  added.launch_end = start - kQueued + 10;
  added.communicator = communicator == 0 ? 1 : communicator;
  added.has_identity = communicator != 0;
  added.operation = operation;
  added.datatype = log::DataType::kFloat32;
  added.count = count;
  added.exposed = end - start;
  added.step = 0;
  ranks_[rank].collectives.push_back(added);
  return ranks_[rank].collectives.back();
}

RankCollective& RunBuilder::message(int rank, Nanoseconds start, Nanoseconds end, int peer, bool is_send) {
  RankCollective& added = collective(rank, start, end, 1, is_send ? log::Operation::kSend : log::Operation::kReceive);
  added.communicator_rank = rank;
  added.rare.edit().peer_calls.push_back({peer, is_send, 4000});
  return added;
}

std::vector<std::vector<std::pair<uint32_t, uint32_t>>> RunBuilder::matched() const {
  std::vector<std::vector<std::pair<uint32_t, uint32_t>>> result;
  for (const MatchedCollective& match : match_collectives(ranks_)) {
    result.emplace_back();
    for (const CollectiveMember& member : match.members) result.back().emplace_back(member.rank, member.collective);
  }
  return result;
}

}  // namespace tauprof
