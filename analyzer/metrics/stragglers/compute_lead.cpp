#include "metrics/stragglers/compute_lead.h"

#include <algorithm>
#include <map>
#include <utility>

namespace tauprof {
namespace {

std::vector<ComputeWork> leads(const std::vector<RankTimeline>& ranks, const MatchedCollective& match) {
  std::vector<ComputeWork> leads;
  for (const CollectiveMember& member : match.members)
    leads.push_back(ranks[member.rank].collectives[member.collective].before.work);
  const ComputeWork typical = lower_median(leads);
  for (ComputeWork& lead : leads) lead = lead - typical;
  return leads;
}

}  // namespace

ComputeLead::ComputeLead(const std::vector<RankTimeline>& ranks, const std::vector<MatchedCollective>& matches)
    : gained_(matches.size()) {
  std::map<std::pair<bool, uint64_t>, std::map<uint32_t, ComputeWork>> highs;  // by communicator and rank
  for (uint32_t match = 0; match < matches.size(); ++match) {
    const auto& members = matches[match].members;
    gained_[match].resize(members.size());
    if (matches[match].is_point_to_point || !matches[match].is_complete()) continue;
    auto& high_of = highs[{matches[match].has_identity, matches[match].communicator}];
    const std::vector<ComputeWork> lead = leads(ranks, matches[match]);
    for (size_t member = 0; member < members.size(); ++member) {
      const auto [high, is_first] = high_of.try_emplace(members[member].rank, lead[member]);
      if (is_first) continue;
      for (const auto measure : kWorkMeasures) {
        const double rise = lead[member].*measure - high->second.*measure;
        gained_[match][member].*measure = std::max(0.0, rise);
        if (rise > 0) high->second.*measure = lead[member].*measure;
      }
    }
  }
}

}  // namespace tauprof
