#include "replay/changed_links.h"

#include <algorithm>
#include <set>

#include "metrics/collectives/bandwidth.h"
#include "metrics/link_model/algorithm_steps.h"
#include "model/operation_names.h"

namespace tauprof {
namespace {

// The same on links with `alpha_factor` times the latency and `beta_factor` times the bandwidth.
TransferLine changed(TransferLine line, double alpha_factor, double beta_factor) {
  line.latency_ns *= alpha_factor;
  line.latency_variance *= alpha_factor * alpha_factor;
  line.ns_per_byte /= beta_factor;
  line.ns_per_byte_variance /= beta_factor * beta_factor;
  line.covariance *= alpha_factor / beta_factor;
  return line;
}

std::string_view words_for(LinkUnknown unknown) {
  switch (unknown) {
    case LinkUnknown::kOneSize:
      return "only one size was seen";
    case LinkUnknown::kFewSizes:
      return "too few sizes were seen";
    case LinkUnknown::kNarrowSizes:
      return "the sizes seen lie too close together";
    default:
      return "the size is far from those seen, or their times scatter";
  }
}

}  // namespace

ChangedLinks::ChangedLinks(const std::vector<RankTimeline>& ranks, const std::vector<MatchedCollective>& matches,
                           const LinkModel& links)
    : ranks_(ranks), matches_(matches), links_(links) {
  for (const RankTimeline& rank : ranks) match_of_.emplace_back(rank.collectives.size(), kNoIndex);
  for (uint32_t match = 0; match < matches.size(); ++match)
    for (const CollectiveMember& member : matches[match].members) match_of_[member.rank][member.collective] = match;
}

int32_t ChangedLinks::hosts_of(const MatchedCollective& match) const {
  std::set<std::string_view> hosts;
  for (const CollectiveMember& member : match.members) hosts.insert(ranks_[member.rank].host);
  return hosts.contains({}) ? 0 : static_cast<int32_t>(hosts.size());
}

std::string ChangedLinks::why_no_line(const MatchedCollective& match) const {
  const LinkFit* seen = nullptr;
  for (const LinkFit& fit : links_.fits)
    if (fit.kind.operation == match.operation && fit.kind.ranks == match.expected &&
        (seen == nullptr || fit.count > seen->count))
      seen = &fit;
  return seen == nullptr ? "none of them was measured without waiting" : std::string(words_for(seen->unknown()));
}

ChangedLinks::Ratio ChangedLinks::ratio(uint32_t rank, uint32_t collective, double alpha_factor,
                                        double beta_factor) const {
  const RankCollective& called = ranks_[rank].collectives[collective];
  const std::string name(name_of(called.operation));
  const uint32_t index = match_of_[rank][collective];
  if (index == kNoIndex || called.is_of_several || matches_[index].is_point_to_point || matches_[index].bytes_out > 0 ||
      step_count(called.operation, called.algorithm, std::max(2, matches_[index].expected)) == 0)
    return {1, name +
                   ": latency and bandwidth are only told of single all_reduce, all_gather, reduce_scatter and "
                   "all_to_all of equal parts"};
  const MatchedCollective& match = matches_[index];
  const int64_t bytes = collective_bytes(match.operation, match.count, match.datatype, match.expected);
  const std::string what =
      name + " of " + std::to_string(bytes) + " bytes on " + std::to_string(match.expected) + " ranks: ";
  const LinkFit* const fit =
      links_.fit_for(match.operation, match.expected, static_cast<double>(bytes), hosts_of(match));
  if (fit == nullptr) return {1, what + "latency and bandwidth cannot be told: " + why_no_line(match)};
  if (alpha_factor != 1 && !fit->line->knows_latency()) return {1, what + "its latency is lost in the noise"};
  if (beta_factor != 1 && !fit->line->knows_ns_per_byte()) return {1, what + "its bandwidth is lost in the noise"};
  const TransferLine line = changed(*fit->line, alpha_factor, beta_factor);
  const double bus_bytes = fit->factor * static_cast<double>(bytes);
  if (!line.knows_time_at(bus_bytes)) return {1, what + "its new time would be lost in the noise"};
  return {line.at(bus_bytes) / fit->line->at(bus_bytes), {}};
}

}  // namespace tauprof
