#include "metrics/collective_match.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace tauprof {
namespace {

using log::Operation;

// The collectives of one rank on one communicator, in order.
struct RankList {
  uint32_t rank;
  std::vector<uint32_t> units;
  int64_t shift = 0;  // position of the first on the common count
};

bool agree(const RankCollective& a, const RankCollective& b) {
  const bool same_operation =
      a.operation == b.operation || a.operation == Operation::kUnknown || b.operation == Operation::kUnknown ||
      // An all-to-all launched before the recording began shows only as its kernel.
      std::minmax(a.operation, b.operation) == std::minmax(Operation::kAllToAll, Operation::kSendReceive);
  return same_operation &&
         (a.datatype == b.datatype || a.datatype == log::DataType::kUnknown || b.datatype == log::DataType::kUnknown) &&
         (a.count == b.count || a.count == 0 || b.count == 0);
}

class Matcher {
 public:
  explicit Matcher(const std::vector<RankTimeline>& ranks) : ranks_(ranks) {
    for (const RankTimeline& rank : ranks_) {
      world_ = std::max(world_, rank.world_size);
    }
    if (world_ == 0) world_ = static_cast<int32_t>(ranks_.size());
  }

  std::vector<MatchedCollective> run() {
    for (auto& [key, lists] : by_communicator()) {
      const bool numbered =
          std::all_of(lists.begin(), lists.end(), [&](const RankList& list) { return is_numbered(list); });
      if (numbered)
        match_by_number(lists);
      else
        match_by_order(lists);
    }
    match_point_to_point();
    return std::move(matches_);
  }

 private:
  using Key = std::pair<bool, uint64_t>;

  const RankCollective& unit(uint32_t rank, uint32_t index) const { return ranks_[rank].collectives[index]; }

  std::map<Key, std::vector<RankList>> by_communicator() {
    std::map<Key, std::vector<RankList>> result;
    for (uint32_t rank = 0; rank < ranks_.size(); ++rank)
      for (uint32_t i = 0; i < ranks_[rank].collectives.size(); ++i) {
        const RankCollective& collective = unit(rank, i);
        if (!collective.peer_calls.empty()) {
          point_to_point_.push_back({rank, i});
          continue;
        }
        auto& lists = result[{collective.has_identity, collective.communicator}];
        if (lists.empty() || lists.back().rank != rank) lists.push_back({rank, {}});
        lists.back().units.push_back(i);
      }
    return result;
  }

  bool is_numbered(const RankList& list) const {
    std::set<int64_t> seen;
    return std::all_of(list.units.begin(), list.units.end(), [&](uint32_t i) {
      return unit(list.rank, i).sequence > 0 && seen.insert(unit(list.rank, i).sequence).second;
    });
  }

  void match_by_number(const std::vector<RankList>& lists) {
    std::map<int64_t, std::vector<CollectiveMember>> members;
    for (const RankList& list : lists)
      for (uint32_t i : list.units) members[unit(list.rank, i).sequence].push_back({list.rank, i});
    for (auto& [sequence, found] : members) add(std::move(found));
  }

  void match_by_order(std::vector<RankList>& lists) {
    const auto longest = std::max_element(lists.begin(), lists.end(), [](const RankList& a, const RankList& b) {
      return a.units.size() < b.units.size();
    });
    const auto length = static_cast<int64_t>(longest->units.size());
    std::vector<std::vector<CollectiveMember>> slots(longest->units.size());
    for (RankList& list : lists) {
      list.shift = best_shift(*longest, list);
      for (size_t i = 0; i < list.units.size(); ++i)
        if (const int64_t slot = list.shift + static_cast<int64_t>(i); slot >= 0 && slot < length)
          slots[slot].push_back({list.rank, list.units[i]});
    }
    for (auto& slot : slots) add(std::move(slot));
  }

  // From the end first: traces of one job stop together more often than they start together.
  int64_t best_shift(const RankList& reference, const RankList& list) const {
    if (&reference == &list) return 0;
    const auto slack = static_cast<int64_t>(reference.units.size() - list.units.size());
    int64_t best = slack;
    std::pair<int64_t, int64_t> best_score{-1, -1};
    for (int64_t shift = slack; shift >= 0; --shift) {
      const auto score = score_of(reference, list, shift);
      if (score > best_score) best_score = score, best = shift;
    }
    return best;
  }

  // How many pairs agree, and how many of those overlap in time (ranks of one clock always do).
  std::pair<int64_t, int64_t> score_of(const RankList& reference, const RankList& list, int64_t shift) const {
    int64_t agreeing = 0, overlapping = 0;
    for (size_t i = 0; i < list.units.size(); ++i) {
      const RankCollective& a = unit(reference.rank, reference.units[shift + i]);
      const RankCollective& b = unit(list.rank, list.units[i]);
      if (!agree(a, b)) continue;
      ++agreeing;
      const Nanoseconds shift_a = ranks_[reference.rank].clock_shift, shift_b = ranks_[list.rank].clock_shift;
      overlapping += a.start + shift_a < b.end + shift_b && b.start + shift_b < a.end + shift_a;
    }
    return {agreeing, overlapping};
  }

  void add(std::vector<CollectiveMember> members) {
    if (members.empty()) return;
    MatchedCollective match;
    const RankCollective& first = unit(members.front().rank, members.front().collective);
    match.communicator = first.communicator;
    match.has_identity = first.has_identity;
    match.expected = first.has_identity && first.communicator_size > 0 ? first.communicator_size : world_;
    for (const CollectiveMember& member : members) {
      const RankCollective& collective = unit(member.rank, member.collective);
      if (match.operation == Operation::kUnknown || collective.operation == Operation::kAllToAll)
        match.operation = collective.operation;
      if (match.datatype == log::DataType::kUnknown) match.datatype = collective.datatype;
      if (match.count == 0) match.count = collective.count;
      match.bytes_out += collective.bytes_out;
    }
    match.members = std::move(members);
    matches_.push_back(std::move(match));
  }

  // A rank's number within the communicator is known only by its world rank here: communicators of
  // all ranks, and those whose members' ranks were recorded in order.
  void match_point_to_point() {
    struct End {
      CollectiveMember member;
      int64_t bytes;
    };
    using Channel = std::tuple<uint64_t, int32_t, int32_t>;  // communicator, source, destination
    std::map<Channel, std::pair<std::vector<End>, std::vector<End>>> channels;
    for (const CollectiveMember& member : point_to_point_) {
      const RankCollective& collective = unit(member.rank, member.collective);
      const int32_t self = collective.communicator_rank >= 0 ? collective.communicator_rank : ranks_[member.rank].rank;
      for (const PeerCall& call : collective.peer_calls) {
        const Channel channel = call.is_send ? Channel{collective.communicator, self, call.peer}
                                             : Channel{collective.communicator, call.peer, self};
        auto& [sends, receives] = channels[channel];
        (call.is_send ? sends : receives).push_back({member, call.bytes});
      }
    }
    for (auto& [channel, ends] : channels) {
      auto& [sends, receives] = ends;
      for (size_t i = 0; i < std::max(sends.size(), receives.size()); ++i) {
        std::vector<CollectiveMember> members;
        if (i < sends.size()) members.push_back(sends[i].member);
        if (i < receives.size()) members.push_back(receives[i].member);
        const int64_t bytes = i < sends.size() ? sends[i].bytes : receives[i].bytes;
        add(std::move(members));
        MatchedCollective& match = matches_.back();
        match.is_point_to_point = true;
        match.expected = 2;
        match.operation = Operation::kSendReceive;
        match.bytes_out = bytes;
      }
    }
  }

  const std::vector<RankTimeline>& ranks_;
  int32_t world_ = 0;
  std::vector<CollectiveMember> point_to_point_;
  std::vector<MatchedCollective> matches_;
};

}  // namespace

std::vector<MatchedCollective> match_collectives(const std::vector<RankTimeline>& ranks) {
  return Matcher(ranks).run();
}

}  // namespace tauprof
