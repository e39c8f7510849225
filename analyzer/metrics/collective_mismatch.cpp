#include "metrics/collective_mismatch.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace tauprof {
namespace {

using log::Operation;

class Comparison {
 public:
  explicit Comparison(const std::vector<RankTimeline>& ranks) : ranks_(ranks) {}

  void look_at(const MatchedCollective& match) {
    const int64_t sequence = unit(match.members.front()).sequence;
    if (!match.has_identity || match.is_point_to_point || sequence == 0) return;
    compare(match, "operation", [](const RankCollective& c) { return static_cast<int64_t>(c.operation); });
    compare(match, "datatype", [](const RankCollective& c) { return static_cast<int64_t>(c.datatype); });
    // Parts of an all-to-all may differ from rank to rank.
    if (match.bytes_out == 0 && match.operation != Operation::kAllToAll)
      compare(match, "count", [](const RankCollective& c) { return c.count; });
    compare(match, "root", [](const RankCollective& c) { return int64_t{c.peer}; });
    note_missing(match, sequence);
  }

  std::vector<CollectiveMismatch> take() {
    std::vector<CollectiveMismatch> result;
    for (const auto& [key, found] : found_)
      if (found.count > 0) result.push_back(found);
    return result;
  }

  void learn_extent(const MatchedCollective& match) {
    for (const CollectiveMember& member : match.members) {
      auto& [first, last] = extents_.try_emplace({match.communicator, member.rank}, INT64_MAX, INT64_MIN).first->second;
      first = std::min(first, unit(member).sequence);
      last = std::max(last, unit(member).sequence);
    }
  }

 private:
  const RankCollective& unit(const CollectiveMember& member) const {
    return ranks_[member.rank].collectives[member.collective];
  }

  template <class Value>
  void compare(const MatchedCollective& match, std::string_view what, Value&& value) {
    const int64_t first = value(unit(match.members.front()));
    if (std::all_of(match.members.begin(), match.members.end(),
                    [&](const CollectiveMember& member) { return value(unit(member)) == first; }))
      return;
    std::map<int64_t, size_t> counts;
    for (const CollectiveMember& member : match.members) ++counts[value(unit(member))];
    int64_t common = first;
    for (const auto& [candidate, count] : counts)
      if (count > counts[common]) common = candidate;
    for (const CollectiveMember& member : match.members)
      if (value(unit(member)) != common) note(match, what, member.rank, unit(member).sequence);
  }

  // A member that recorded collectives before and after this one, but not this one.
  void note_missing(const MatchedCollective& match, int64_t sequence) {
    if (match.is_complete()) return;
    size_t next = 0;
    for (uint32_t rank = 0; rank < ranks_.size(); ++rank) {
      if (next < match.members.size() && match.members[next].rank == rank) {
        ++next;
        continue;
      }
      const auto extent = extents_.find({match.communicator, rank});
      if (extent != extents_.end() && extent->second.first < sequence && sequence < extent->second.second)
        note(match, "missing", rank, sequence);
    }
  }

  void note(const MatchedCollective& match, std::string_view what, uint32_t rank, int64_t sequence) {
    CollectiveMismatch& found = found_[{match.communicator, what, rank}];
    if (found.count++ > 0) return;
    const auto& names = ranks_[rank].communicator_names;
    const auto name = names.find(match.communicator);
    char text[24];
    snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(match.communicator));
    found.communicator = name == names.end() || name->second.empty() ? text : name->second;
    found.what = what;
    found.rank = ranks_[rank].rank;
    found.first = sequence;
  }

  const std::vector<RankTimeline>& ranks_;
  std::map<std::pair<uint64_t, uint32_t>, std::pair<int64_t, int64_t>> extents_;  // first and last sequence number
  std::map<std::tuple<uint64_t, std::string_view, uint32_t>, CollectiveMismatch> found_;
};

}  // namespace

std::vector<CollectiveMismatch> find_mismatches(const std::vector<RankTimeline>& ranks,
                                                const std::vector<MatchedCollective>& matches) {
  Comparison comparison(ranks);
  for (const MatchedCollective& match : matches)
    if (match.has_identity && !match.is_point_to_point) comparison.learn_extent(match);
  for (const MatchedCollective& match : matches) comparison.look_at(match);
  return comparison.take();
}

}  // namespace tauprof
