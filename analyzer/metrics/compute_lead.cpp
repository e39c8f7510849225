#include "metrics/compute_lead.h"

#include <algorithm>
#include <map>
#include <utility>

namespace tauprof {
namespace {

std::vector<int64_t> leads(const std::vector<RankTimeline>& ranks, const MatchedCollective& match) {
  std::vector<int64_t> spans;
  for (const CollectiveMember& member : match.members)
    spans.push_back(static_cast<int64_t>(ranks[member.rank].collectives[member.collective].before.compute_spans));
  std::vector<int64_t> sorted = spans;
  const auto middle = sorted.begin() + (sorted.size() - 1) / 2;
  std::nth_element(sorted.begin(), middle, sorted.end());
  for (int64_t& value : spans) value -= *middle;
  return spans;
}

}  // namespace

ComputeLead::ComputeLead(const std::vector<RankTimeline>& ranks, const std::vector<MatchedCollective>& matches)
    : gained_(matches.size()) {
  std::map<std::pair<bool, uint64_t>, std::map<uint32_t, int64_t>> highs;  // by communicator and rank
  for (uint32_t match = 0; match < matches.size(); ++match) {
    const auto& members = matches[match].members;
    gained_[match].assign(members.size(), 0);
    if (matches[match].is_point_to_point || !matches[match].is_complete()) continue;
    auto& high_of = highs[{matches[match].has_identity, matches[match].communicator}];
    const std::vector<int64_t> lead = leads(ranks, matches[match]);
    for (size_t member = 0; member < members.size(); ++member) {
      const auto [high, is_first] = high_of.try_emplace(members[member].rank, lead[member]);
      gained_[match][member] = is_first ? 0 : std::max<int64_t>(0, lead[member] - high->second);
      high->second = std::max(high->second, lead[member]);
    }
  }
}

}  // namespace tauprof
