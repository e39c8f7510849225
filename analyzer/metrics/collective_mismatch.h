// Members of a communicator that called something else than the others at the same place of its sequence, or nothing
// that was recorded, or more than the others. Such a job may go on with wrong results, or hang later.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "metrics/collective_match.h"

namespace tauprof {

struct CollectiveMismatch {
  std::string communicator;
  std::string_view what;  // "operation", "datatype", "count", "root", "missing", "ahead"
  int32_t rank = -1;      // who differs from most, or from the first of two
  int32_t peer = -1;      // the first of those that it differs from
  int64_t first = 0;      // sequence number of the first such collective
  uint64_t count = 0;
  // That collective:
  std::optional<CalledCollective> called;  // by the rank; none: it is missing
  std::optional<CalledCollective> peers_called;
  std::string place;  // the rank's line of code, where stacks were recorded
};

// Looks at communicators with identity and sequence numbers. A line for each communicator, rank and kind.
std::vector<CollectiveMismatch> find_mismatches(const std::vector<RankTimeline>& ranks,
                                                const std::vector<MatchedCollective>& matches);

}  // namespace tauprof
