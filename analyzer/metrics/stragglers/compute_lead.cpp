#include "metrics/stragglers/compute_lead.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

namespace tauprof {
namespace {

std::vector<ComputeWork> leads(const std::vector<RankTimeline>& ranks, const MatchedCollective& match) {
  std::vector<ComputeWork> leads;
  for (const CollectiveMember& member : match.members)
    leads.push_back(ranks[member.rank].spent[member.collective].device.work);
  const ComputeWork typical = lower_median(leads);
  for (ComputeWork& lead : leads) lead = lead - typical;
  return leads;
}

}  // namespace

ComputeLead::ComputeLead(const std::vector<RankTimeline>& ranks, const std::vector<MatchedCollective>& matches)
    : gained_(matches.size()) {
  std::map<std::pair<bool, uint64_t>, FlatMap<uint32_t, std::optional<ComputeWork>>> highs;  // by communicator and rank
  for (uint32_t match = 0; match < matches.size(); ++match) {
    const auto& members = matches[match].members;
    if (matches[match].is_point_to_point || !matches[match].is_complete()) continue;
    auto& high_of = highs[{matches[match].has_identity, matches[match].communicator}];
    const std::vector<ComputeWork> lead = leads(ranks, matches[match]);
    for (uint32_t member = 0; member < members.size(); ++member) {
      std::optional<ComputeWork>& high = high_of[members[member].rank];
      if (!high) high = lead[member];
      for (const auto measure : kWorkMeasures) {
        const double rise = lead[member].*measure - (*high).*measure;
        if (rise <= 0) continue;
        gained_[match][member].*measure = rise;
        (*high).*measure = lead[member].*measure;
      }
    }
  }
}

}  // namespace tauprof
