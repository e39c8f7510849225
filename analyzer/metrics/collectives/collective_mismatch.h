// Members of a communicator that called a different collective than the others under the same sequence number, whose
// call was not recorded, or that called more collectives than the others. Such a job may go on with wrong results, or
// hang later.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "metrics/collectives/collective_match.h"

namespace tauprof {

struct CollectiveMismatch {
  std::string communicator;
  std::string_view what;  // "operation", "datatype", "count", "root", "missing", "ahead"
  int32_t rank = -1;      // differs from most members, or from the first of two
  int32_t peer = -1;      // the first member that it differs from
  int64_t first = 0;      // sequence number of the first such collective
  uint64_t count = 0;
  // That collective:
  std::optional<CalledCollective> called;  // by the rank; none: it is missing
  std::optional<CalledCollective> peers_called;
  std::string source_line;  // of the rank's call; empty: its stack was not recorded
};

// One entry for each communicator, rank and kind of mismatch, on communicators with an identity and sequence numbers.
std::vector<CollectiveMismatch> find_mismatches(const std::vector<RankTimeline>& ranks,
                                                const std::vector<MatchedCollective>& matches);

}  // namespace tauprof
