#include "metrics/stragglers/blame_rows.h"

#include <map>

#include "metrics/stragglers/late_members.h"

namespace tauprof {

std::vector<WaiterRow> by_waiting_rank(const std::vector<RankTimeline>& ranks, const MatchedCollective& match,
                                       std::span<const BlameRow> rows_of_match, const std::set<uint32_t>& waiting) {
  std::map<uint32_t, std::vector<const BlameRow*>> rows;  // by the rank that came late
  std::map<uint32_t, double> waited;                      // for it
  for (const BlameRow& row : rows_of_match) {
    rows[row.came_late].push_back(&row);
    waited[row.came_late] += row.ns;
  }
  std::vector<WaiterRow> result;
  for (const WaitFor& wait : waits_by_member(ranks, match, waiting)) {
    const uint32_t late = match.members[wait.late].rank;
    for (const BlameRow* const row : rows[late])
      result.push_back({match.members[wait.waiter].rank, row, wait.ns * row->ns / waited[late]});
  }
  return result;
}

}  // namespace tauprof
