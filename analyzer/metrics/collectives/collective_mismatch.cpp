#include "metrics/collectives/collective_mismatch.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "metrics/collectives/communicator_name.h"

namespace tauprof {
namespace {

using log::Operation;

class Comparison {
 public:
  explicit Comparison(const std::vector<RankTimeline>& ranks) : ranks_(ranks) {}

  void check(const MatchedCollective& match) {
    callers_ = callers_of(match);
    const int64_t sequence = unit(callers_.front()).sequence;
    if (!match.has_identity || match.is_point_to_point || sequence == 0) return;
    compare(match, "operation", [](const RankCollective& c) { return static_cast<int64_t>(c.operation); });
    compare(match, "datatype", [](const RankCollective& c) { return static_cast<int64_t>(c.datatype); });
    // Parts of an all-to-all may differ from rank to rank.
    if (match.bytes_out == 0 && match.operation != Operation::kAllToAll)
      compare(match, "count", [](const RankCollective& c) { return c.count; });
    compare(match, "root", [](const RankCollective& c) { return int64_t{c.peer}; });
    note_missing(match, sequence);
  }

  // Finds ranks that called different numbers of collectives, among those whose logs have all calls and an end.
  void check_ends() {
    std::map<uint64_t, std::vector<std::pair<uint32_t, const CommunicatorProgress*>>> members;
    for (uint32_t rank = 0; rank < ranks_.size(); ++rank) {
      const RankProgress& progress = ranks_[rank].progress;
      if (ranks_[rank].source != "preload" || !progress.is_closed || !progress.has_all_calls) continue;
      for (const CommunicatorProgress& communicator : progress.communicators)
        members[communicator.identity].push_back({rank, &communicator});
    }
    for (const auto& [identity, list] : members) {
      if (static_cast<int32_t>(list.size()) < list.front().second->size) continue;
      const auto& least = *std::min_element(
          list.begin(), list.end(), [](const auto& a, const auto& b) { return a.second->entered < b.second->entered; });
      for (const auto& [rank, progress] : list)
        if (progress->entered > least.second->entered) note_ahead(identity, rank, *progress, least);
    }
  }

  std::vector<CollectiveMismatch> take() {
    std::vector<CollectiveMismatch> result;
    for (const auto& [key, found] : found_)
      if (found.count > 0) result.push_back(found);
    return result;
  }

  void learn_extent(const MatchedCollective& match) {
    for (const CollectiveMember& member : callers_of(match)) {
      auto& [first, last] = extents_.try_emplace({match.communicator, member.rank}, INT64_MAX, INT64_MIN).first->second;
      first = std::min(first, unit(member).sequence);
      last = std::max(last, unit(member).sequence);
    }
  }

 private:
  const RankCollective& unit(const CollectiveMember& member) const { return called(ranks_, member); }

  static CalledCollective call_of(const RankCollective& unit) {
    return {unit.sequence, unit.count, unit.launch_start, unit.peer, unit.operation, unit.datatype, 0, {}};
  }

  template <class Value>
  void compare(const MatchedCollective& match, std::string_view what, Value&& value) {
    const int64_t first = value(unit(callers_.front()));
    if (std::all_of(callers_.begin(), callers_.end(),
                    [&](const CollectiveMember& member) { return value(unit(member)) == first; }))
      return;
    std::map<int64_t, size_t> counts;
    for (const CollectiveMember& member : callers_) ++counts[value(unit(member))];
    int64_t common = first;
    for (const auto& [candidate, count] : counts)
      if (count > counts[common]) common = candidate;
    const CollectiveMember& peer = *std::find_if(callers_.begin(), callers_.end(), [&](const CollectiveMember& member) {
      return value(unit(member)) == common;
    });
    for (const CollectiveMember& member : callers_)
      if (value(unit(member)) != common) note_difference(match, what, member, peer);
  }

  void note_difference(const MatchedCollective& match, std::string_view what, const CollectiveMember& member,
                       const CollectiveMember& peer) {
    const RankCollective& collective = unit(member);
    CollectiveMismatch* const noted = note(match.communicator, what, member.rank, collective.sequence);
    if (noted == nullptr) return;
    noted->peer = ranks_[peer.rank].rank;
    noted->called = call_of(collective);
    noted->peers_called = call_of(unit(peer));
    if (collective.source_line != kNoIndex)
      noted->source_line = ranks_[member.rank].source_line_names[collective.source_line];
  }

  // A member that recorded collectives before and after this one, but not this one, and lacks no records of its device:
  // while a rank waits for long, the recorder may lose the record of the collective that it waits in.
  void note_missing(const MatchedCollective& match, int64_t sequence) {
    if (static_cast<int32_t>(callers_.size()) == match.expected) return;
    size_t next = 0;
    for (auto extent = extents_.lower_bound({match.communicator, 0});
         extent != extents_.end() && extent->first.first == match.communicator; ++extent) {
      const uint32_t rank = extent->first.second;
      while (next < callers_.size() && callers_[next].rank < rank) ++next;
      if (next < callers_.size() && callers_[next].rank == rank) continue;
      if (extent->second.first >= sequence || sequence >= extent->second.second) continue;
      if (ranks_[rank].quality.dropped_device_work > 0) continue;
      if (CollectiveMismatch* const noted = note(match.communicator, "missing", rank, sequence)) {
        noted->peer = ranks_[callers_.front().rank].rank;
        noted->peers_called = call_of(unit(callers_.front()));
      }
    }
  }

  void note_ahead(uint64_t communicator, uint32_t rank, const CommunicatorProgress& progress,
                  const std::pair<uint32_t, const CommunicatorProgress*>& least) {
    const int64_t first = least.second->entered + 1;
    CollectiveMismatch* const noted = note(communicator, "ahead", rank, first);
    if (noted == nullptr) return;
    noted->count = static_cast<uint64_t>(progress.entered - least.second->entered);
    noted->peer = ranks_[least.first].rank;
    for (const CalledCollective& call : progress.recent)
      if (call.sequence == first) noted->called = call, noted->source_line = call.source_line;
  }

  // The new entry, or null after counting into one that exists.
  CollectiveMismatch* note(uint64_t communicator, std::string_view what, uint32_t rank, int64_t sequence) {
    CollectiveMismatch& found = found_[{communicator, what, rank}];
    if (found.count++ > 0) return nullptr;
    const auto& names = ranks_[rank].communicator_names;
    const auto name = names.find(communicator);
    found.communicator = communicator_name(name == names.end() ? std::string() : name->second, communicator);
    found.what = what;
    found.rank = ranks_[rank].rank;
    found.first = sequence;
    return &found;
  }

  const std::vector<RankTimeline>& ranks_;
  std::vector<CollectiveMember> callers_;  // of the collective that is being checked
  std::map<std::pair<uint64_t, uint32_t>, std::pair<int64_t, int64_t>> extents_;  // first and last sequence number
  std::map<std::tuple<uint64_t, std::string_view, uint32_t>, CollectiveMismatch> found_;
};

}  // namespace

std::vector<CollectiveMismatch> find_mismatches(const std::vector<RankTimeline>& ranks,
                                                const std::vector<MatchedCollective>& matches) {
  Comparison comparison(ranks);
  for (const MatchedCollective& match : matches)
    if (match.has_identity && !match.is_point_to_point) comparison.learn_extent(match);
  for (const MatchedCollective& match : matches) comparison.check(match);
  comparison.check_ends();
  return comparison.take();
}

}  // namespace tauprof
