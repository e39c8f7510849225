#include "metrics/collectives/collective_match.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "limits/analysis_limits.h"

namespace tauprof {
namespace {

using log::Operation;

// The collectives of one rank on one communicator, in order.
struct RankList {
  uint32_t rank;
  std::vector<uint32_t> units;
  int64_t shift = 0;  // position of its first collective in the longest list
};

bool agree(const RankCollective& a, const RankCollective& b) {
  const bool same_operation =
      a.operation == b.operation || a.operation == Operation::kUnknown || b.operation == Operation::kUnknown ||
      // An all-to-all launched before the recording started shows only as its kernel.
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

  const RankCollective& unit(uint32_t rank, uint32_t index) const { return ranks_[rank].called_collectives()[index]; }

  std::map<Key, std::vector<RankList>> by_communicator() {
    std::map<Key, std::vector<RankList>> result;
    for (uint32_t rank = 0; rank < ranks_.size(); ++rank)
      for (uint32_t i = 0; i < ranks_[rank].called_collectives().size(); ++i) {
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
    for (const auto& [sequence, found] : members) add(found);
  }

  void match_by_order(std::vector<RankList>& lists) {
    const auto longest = std::max_element(lists.begin(), lists.end(), [](const RankList& a, const RankList& b) {
      return a.units.size() < b.units.size();
    });
    std::map<int64_t, std::vector<CollectiveMember>> slots;
    for (RankList& list : lists) {
      list.shift = best_shift(*longest, list);
      for (size_t i = 0; i < list.units.size(); ++i)
        slots[list.shift + static_cast<int64_t>(i)].push_back({list.rank, list.units[i]});
    }
    for (const auto& [position, members] : slots) add(members);
  }

  // Tries shifts that align the ends first: traces of one job stop together more often than they start together.
  int64_t best_shift(const RankList& reference, const RankList& list) const {
    if (&reference == &list) return 0;
    const auto slack = static_cast<int64_t>(reference.units.size() - list.units.size());
    std::vector<int64_t> candidates{slack};
    for (int64_t shift = slack - 1; shift >= std::max<int64_t>(0, slack - kMostShifts); --shift)
      candidates.push_back(shift);
    if (slack > kMostShifts) candidates.push_back(0);
    add_shifts_by_time(reference, list, candidates);
    int64_t best = slack, best_score = -1;
    for (const int64_t shift : candidates)
      if (const int64_t score = score_of(reference, list, shift); score > best_score) best_score = score, best = shift;
    return best;
  }

  // Shifts that put the list's first, middle or last collective where it lies in the reference by time. They may reach
  // beyond the reference, for ranks that start and stop recording later.
  void add_shifts_by_time(const RankList& reference, const RankList& list, std::vector<int64_t>& candidates) const {
    if (!are_timed(reference, list)) return;
    const ClockMap &clock_a = ranks_[reference.rank].run_clock, &clock_b = ranks_[list.rank].run_clock;
    for (const size_t i : {size_t{0}, list.units.size() / 2, list.units.size() - 1}) {
      const Nanoseconds end = clock_b.to_run(unit(list.rank, list.units[i]).end);
      const auto near = std::lower_bound(
          reference.units.begin(), reference.units.end(), end,
          [&](uint32_t a, Nanoseconds time) { return clock_a.to_run(unit(reference.rank, a).start) < time; });
      const int64_t position = near - reference.units.begin();
      for (int64_t offset = -1; offset <= 0; ++offset)
        candidates.push_back(position + offset - static_cast<int64_t>(i));
    }
  }

  bool are_timed(const RankList& a, const RankList& b) const {
    return ranks_[a.rank].is_timed() && ranks_[b.rank].is_timed();
  }

  // A pair that agrees scores 1, and 3 if it also overlaps in time, as pairs of ranks that share a clock do.
  int64_t score_of(const RankList& reference, const RankList& list, int64_t shift) const {
    int64_t score = 0;
    for (size_t i = 0; i < list.units.size(); ++i) {
      const int64_t position = shift + static_cast<int64_t>(i);
      if (position < 0 || position >= static_cast<int64_t>(reference.units.size())) continue;
      const RankCollective& a = unit(reference.rank, reference.units[position]);
      const RankCollective& b = unit(list.rank, list.units[i]);
      if (!agree(a, b)) continue;
      const ClockMap &clock_a = ranks_[reference.rank].run_clock, &clock_b = ranks_[list.rank].run_clock;
      const bool overlap = are_timed(reference, list) && clock_a.to_run(a.start) < clock_b.to_run(b.end) &&
                           clock_b.to_run(b.start) < clock_a.to_run(a.end);
      score += overlap ? 3 : 1;
    }
    return score;
  }

  void add(const std::vector<CollectiveMember>& callers) {
    if (callers.empty()) return;
    MatchedCollective match;
    const RankCollective& first = unit(callers.front().rank, callers.front().collective);
    match.communicator = first.communicator;
    match.has_identity = first.has_identity;
    match.expected = first.has_identity && first.communicator_size > 0 ? first.communicator_size : world_;
    for (const CollectiveMember& member : callers) {
      const RankCollective& collective = unit(member.rank, member.collective);
      (ranks_[member.rank].is_timed() ? match.members : match.untimed).push_back(member);
      if (match.operation == Operation::kUnknown || collective.operation == Operation::kAllToAll)
        match.operation = collective.operation;
      if (match.datatype == log::DataType::kUnknown) match.datatype = collective.datatype;
      if (match.count == 0) match.count = collective.count;
      match.bytes_out += collective.bytes_out;
    }
    matches_.push_back(std::move(match));
  }

  // Without a recorded rank in the communicator, the job's rank is taken for it.
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
        if (i < receives.size()) {
          members.push_back(receives[i].member);
          members.back().receives = true;
        }
        const int64_t bytes = i < sends.size() ? sends[i].bytes : receives[i].bytes;
        add(members);
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
    const RankCollective& own = ranks[member.rank].collectives[member.collective];
    shortest = std::min(shortest, own.end - own.start);
  }
  return shortest;
}

std::vector<MatchedCollective> match_collectives(const std::vector<RankTimeline>& ranks) {
  return Matcher(ranks).run();
}

}  // namespace tauprof
