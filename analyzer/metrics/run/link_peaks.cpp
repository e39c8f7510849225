#include "metrics/run/link_peaks.h"

#include <algorithm>

#include "metrics/efficiency/device_peaks.h"

namespace tauprof {
namespace {

// Of the slowest device of the job; nullopt: that of some device is not known.
std::optional<double> slowest_link(const std::vector<RankTimeline>& ranks) {
  std::optional<double> slowest;
  for (const RankTimeline& rank : ranks) {
    const std::optional<double> link = device_link_gb_per_s(rank.device_name);
    if (!link) return std::nullopt;
    slowest = std::min(slowest.value_or(*link), *link);
  }
  return slowest;
}

}  // namespace

void set_link_peaks(const std::vector<RankTimeline>& ranks, const std::optional<double>& given_gb_per_s,
                    std::vector<CollectiveMetrics>& collectives) {
  const std::optional<double> in_host = slowest_link(ranks);
  for (CollectiveMetrics& collective : collectives) {
    if (given_gb_per_s)
      collective.link_peak_gb_per_s = given_gb_per_s;
    else if (collective.hosts == 1)
      collective.link_peak_gb_per_s = in_host;
  }
}

}  // namespace tauprof
