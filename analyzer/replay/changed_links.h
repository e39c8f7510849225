// How much longer or shorter collectives take on links with another latency and bandwidth, by the lines through what
// was measured (metrics/link_model/link_model.h).
//
// Example: a line of 20 µs + 1 µs per 100 KB. An all-reduce that put 8 MB on each link took 103 µs, 3 % more than the
// 100 µs of the line. With twice the bandwidth the line says 60 µs, so it takes 103 · 60 / 100 = 61.8 µs.
#pragma once

#include <string>
#include <vector>

#include "metrics/collectives/collective_match.h"
#include "metrics/link_model/link_model.h"

namespace tauprof {

class ChangedLinks {
 public:
  // All must live as long.
  ChangedLinks(const std::vector<RankTimeline>& ranks, const std::vector<MatchedCollective>& matches,
               const LinkModel& links);

  struct Ratio {
    double value = 1;    // new time over old
    std::string reason;  // why it is not known; empty: it is
  };
  Ratio ratio(uint32_t rank, uint32_t collective, double alpha_factor, double beta_factor) const;

 private:
  int32_t hosts_of(const MatchedCollective& match) const;
  std::string why_no_line(const MatchedCollective& match) const;

  const std::vector<RankTimeline>& ranks_;
  const std::vector<MatchedCollective>& matches_;
  const LinkModel& links_;
  std::vector<std::vector<uint32_t>> match_of_;  // by rank and collective
};

}  // namespace tauprof
