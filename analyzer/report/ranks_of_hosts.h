// Long lists of ranks, folded by host: "host-3: ranks 24-31".
#pragma once

#include <map>
#include <string>
#include <vector>

#include "metrics/run/run_metrics.h"

namespace tauprof {

class RanksOfHosts {
 public:
  explicit RanksOfHosts(const std::vector<RankMetrics>& ranks);

  // Empty: not known, as for ranks that were not chosen.
  const std::string& host_of(int32_t rank) const;
  // "rank 5", "ranks 24-31, 40"; with their host, if the run has several: "host-3: ranks 24-31". Rising, of one host.
  std::string name(const std::vector<int32_t>& ranks) const;
  // In a sentence: the first of them, or of their hosts, and how many more there are. Rising.
  std::string list(const std::vector<int32_t>& ranks) const;

 private:
  std::map<int32_t, std::string> hosts_;
  bool are_several_ = false;
};

}  // namespace tauprof
