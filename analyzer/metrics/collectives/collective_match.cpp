#include "metrics/collectives/collective_match.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "metrics/collectives/collective_order.h"

namespace tauprof {
namespace {

using log::Operation;

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
          std::all_of(lists.begin(), lists.end(), [&](const CollectiveList& list) { return is_numbered(list); });
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

  const RankCollective& unit(const CollectiveMember& member) const { return called(ranks_, member); }

  // In order: with device times by start, or, where some have none, by launch.
  std::vector<CollectiveMember> collectives_of(uint32_t rank) const {
    std::vector<CollectiveMember> result;
    for (uint32_t i = 0; i < ranks_[rank].collectives.size(); ++i) result.push_back({rank, i});
    for (uint32_t i = 0; i < ranks_[rank].untimed_collectives.size(); ++i) result.push_back({rank, i, false, false});
    if (!ranks_[rank].untimed_collectives.empty())
      std::stable_sort(result.begin(), result.end(), [&](const CollectiveMember& a, const CollectiveMember& b) {
        return unit(a).launch_start < unit(b).launch_start;
      });
    return result;
  }

  std::map<Key, std::vector<CollectiveList>> by_communicator() {
    std::map<Key, std::vector<CollectiveList>> result;
    for (uint32_t rank = 0; rank < ranks_.size(); ++rank)
      for (const CollectiveMember& member : collectives_of(rank)) {
        const RankCollective& collective = unit(member);
        if (!collective.rare->peer_calls.empty()) {
          point_to_point_.push_back(member);
          continue;
        }
        auto& lists = result[{collective.has_identity, collective.communicator}];
        if (lists.empty() || lists.back().rank != rank) lists.push_back({rank, {}});
        lists.back().units.push_back(member);
      }
    return result;
  }

  bool is_numbered(const CollectiveList& list) const {
    std::set<int64_t> seen;
    return std::all_of(list.units.begin(), list.units.end(), [&](const CollectiveMember& member) {
      return unit(member).sequence > 0 && seen.insert(unit(member).sequence).second;
    });
  }

  void match_by_number(const std::vector<CollectiveList>& lists) {
    std::map<int64_t, std::vector<CollectiveMember>> members;
    for (const CollectiveList& list : lists)
      for (const CollectiveMember& member : list.units) members[unit(member).sequence].push_back(member);
    for (const auto& [sequence, found] : members) add(found);
  }

  void match_by_order(const std::vector<CollectiveList>& lists) {
    const std::vector<std::vector<OrderPlace>> places = places_by_order(ranks_, lists);
    std::map<OrderPlace, std::vector<CollectiveMember>> members;
    for (size_t list = 0; list < lists.size(); ++list)
      for (size_t i = 0; i < lists[list].units.size(); ++i) members[places[list][i]].push_back(lists[list].units[i]);
    for (const auto& [place, found] : members) add(found);
  }

  void add(const std::vector<CollectiveMember>& callers) {
    if (callers.empty()) return;
    MatchedCollective match;
    const RankCollective& first = unit(callers.front());
    match.communicator = first.communicator;
    match.has_identity = first.has_identity;
    match.expected = first.has_identity && first.communicator_size > 0 ? first.communicator_size : world_;
    for (const CollectiveMember& member : callers) {
      const RankCollective& collective = unit(member);
      (member.is_timed ? match.members : match.untimed).push_back(member);
      if (match.operation == Operation::kUnknown || collective.operation == Operation::kAllToAll)
        match.operation = collective.operation;
      if (match.datatype == log::DataType::kUnknown) match.datatype = collective.datatype;
      if (match.count == 0) match.count = collective.count;
      match.bytes_out += collective.rare->bytes_out;
    }
    matches_.push_back(std::move(match));
  }

  struct MessageEnd {
    CollectiveMember member;
    int64_t bytes = 0;
    int64_t number = 0;
  };
  // The two sides of a channel's messages.
  struct Channel {
    std::vector<MessageEnd> sends, receives;
    bool is_numbered() const {
      const auto has_number = [](const MessageEnd& end) { return end.number > 0; };
      return std::all_of(sends.begin(), sends.end(), has_number) &&
             std::all_of(receives.begin(), receives.end(), has_number);
    }
  };

  // Without a recorded rank in the communicator, the job's rank is taken for it.
  void match_point_to_point() {
    using ChannelKey = std::tuple<uint64_t, int32_t, int32_t>;  // communicator, source, destination
    std::map<ChannelKey, Channel> channels;
    for (const CollectiveMember& member : point_to_point_) {
      const RankCollective& collective = unit(member);
      const int32_t self = collective.communicator_rank >= 0 ? collective.communicator_rank : ranks_[member.rank].rank;
      for (const PeerCall& call : collective.rare->peer_calls) {
        const ChannelKey key = call.is_send ? ChannelKey{collective.communicator, self, call.peer}
                                            : ChannelKey{collective.communicator, call.peer, self};
        (call.is_send ? channels[key].sends : channels[key].receives).push_back({member, call.bytes, call.number});
      }
    }
    for (const auto& [key, channel] : channels) match_channel(channel);
  }

  // By the hosts' numbers where both sides have them, else by the order of what devices carried out.
  void match_channel(const Channel& channel) {
    const bool is_numbered = channel.is_numbered();
    std::map<int64_t, std::pair<const MessageEnd*, const MessageEnd*>> messages;
    for (size_t i = 0; i < channel.sends.size(); ++i)
      messages[is_numbered ? channel.sends[i].number : static_cast<int64_t>(i)].first = &channel.sends[i];
    for (size_t i = 0; i < channel.receives.size(); ++i)
      messages[is_numbered ? channel.receives[i].number : static_cast<int64_t>(i)].second = &channel.receives[i];
    for (const auto& [number, sides] : messages) {
      const auto& [send, receive] = sides;
      std::vector<CollectiveMember> members;
      if (send != nullptr) members.push_back(send->member);
      if (receive != nullptr) {
        members.push_back(receive->member);
        members.back().receives = true;
      }
      add(members);
      MatchedCollective& match = matches_.back();
      match.is_point_to_point = true;
      match.expected = 2;
      match.operation = Operation::kSendReceive;
      match.bytes_out = send != nullptr ? send->bytes : receive->bytes;
    }
  }

  const std::vector<RankTimeline>& ranks_;
  int32_t world_ = 0;
  std::vector<CollectiveMember> point_to_point_;
  std::vector<MatchedCollective> matches_;
};

}  // namespace

std::vector<CollectiveMember> callers_of(const MatchedCollective& match) {
  std::vector<CollectiveMember> callers = match.members;
  callers.insert(callers.end(), match.untimed.begin(), match.untimed.end());
  std::stable_sort(callers.begin(), callers.end(),
                   [](const CollectiveMember& a, const CollectiveMember& b) { return a.rank < b.rank; });
  return callers;
}

Nanoseconds shortest_span(const std::vector<RankTimeline>& ranks, const MatchedCollective& match) {
  Nanoseconds shortest = INT64_MAX;
  for (const CollectiveMember& member : match.members) {
    const RankCollective& collective = ranks[member.rank].collectives[member.collective];
    shortest = std::min(shortest, collective.end - collective.start);
  }
  return shortest;
}

std::vector<MatchedCollective> match_collectives(const std::vector<RankTimeline>& ranks) {
  return Matcher(ranks).run();
}

}  // namespace tauprof
