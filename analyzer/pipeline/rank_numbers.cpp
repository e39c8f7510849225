#include "pipeline/rank_numbers.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "limits/analysis_limits.h"

namespace tauprof {
namespace {

bool is_one_rank(const RankTimeline& rank) { return rank.rank >= 0 && rank.world_size > 1; }

// A rank's process may have worked on a second device (a context opened by mistake): that is not a rank of its own.
void keep_own_device(std::vector<RankTimeline>& ranks, std::vector<std::string>& notes) {
  std::map<std::pair<std::string, int32_t>, uint64_t> most;  // by file and rank
  for (const RankTimeline& rank : ranks) {
    uint64_t& spans = most[{rank.file, rank.rank}];
    spans = std::max(spans, rank.spans);
  }
  std::set<std::pair<std::string, int32_t>> kept;
  std::erase_if(ranks, [&](const RankTimeline& rank) {
    const std::pair key{rank.file, rank.rank};
    if (!is_one_rank(rank)) return false;
    if (rank.spans == most[key] && kept.insert(key).second) return false;
    notes.push_back(rank.file + ": " + std::to_string(rank.spans) + " spans on device " + std::to_string(rank.device) +
                    ", which is not rank " + std::to_string(rank.rank) + "'s own, are left out");
    return true;
  });
}

uint64_t work_in(const RankTimeline& rank, bool has_device_work) { return has_device_work ? rank.spans : rank.calls; }

// A process that no launcher gave a rank, that takes part in no collective and hardly works beside another one was
// spawned for something else (it asked for a device's memory, compiled a kernel, tried one).
void leave_out_helpers(std::vector<RankTimeline>& ranks, std::vector<std::string>& notes) {
  const bool has_device_work =
      std::any_of(ranks.begin(), ranks.end(), [](const RankTimeline& rank) { return rank.spans > 0; });
  uint64_t most = 0;
  for (const RankTimeline& rank : ranks) most = std::max(most, work_in(rank, has_device_work));
  std::erase_if(ranks, [&](const RankTimeline& rank) {
    const uint64_t work = work_in(rank, has_device_work);
    const bool is_helper = rank.rank < 0 && rank.collectives.empty() && rank.untimed_collectives.empty() &&
                           static_cast<double>(work) < kHelpersWork * static_cast<double>(most);
    if (is_helper)
      notes.push_back(rank.file + ": has no rank, " + std::to_string(rank.spans) + " spans and " +
                      std::to_string(rank.calls) + " calls; a helper's, left out");
    return is_helper;
  });
}

void number_the_nameless(std::vector<RankTimeline>& ranks) {
  bool needed = false;
  std::set<std::pair<std::string, int32_t>> seen;
  for (const RankTimeline& rank : ranks) needed |= rank.rank < 0 || !seen.insert({rank.file, rank.rank}).second;
  if (!needed) return;
  std::stable_sort(ranks.begin(), ranks.end(), [](const RankTimeline& a, const RankTimeline& b) {
    if (a.rank != b.rank) return a.rank < b.rank;
    return a.file != b.file ? a.file < b.file : a.device < b.device;
  });
  for (size_t i = 0; i < ranks.size(); ++i) ranks[i].rank = static_cast<int32_t>(i);
}

std::string work_of(const RankTimeline& rank) {
  return std::to_string(rank.spans) + " spans and " + std::to_string(rank.calls) + " calls";
}

// The ranks are sorted, the busiest of each number first.
void keep_busiest(std::vector<RankTimeline>& ranks, std::vector<std::string>& notes) {
  std::vector<RankTimeline> kept;
  for (RankTimeline& rank : ranks) {
    if (kept.empty() || kept.back().rank != rank.rank) {
      kept.push_back(std::move(rank));
      continue;
    }
    const RankTimeline& busiest = kept.back();
    notes.push_back(rank.file + ": rank " + std::to_string(rank.rank) + " is also in " + busiest.file + ", which has " +
                    work_of(busiest) + "; this one, with " + work_of(rank) +
                    ", is left out (two runs in one directory? see --run)");
  }
  ranks = std::move(kept);
}

}  // namespace

std::vector<std::string> number_ranks(std::vector<RankTimeline>& ranks) {
  std::vector<std::string> notes;
  keep_own_device(ranks, notes);
  leave_out_helpers(ranks, notes);
  number_the_nameless(ranks);
  std::stable_sort(ranks.begin(), ranks.end(), [](const RankTimeline& a, const RankTimeline& b) {
    return std::tuple(a.rank, b.spans, b.calls) < std::tuple(b.rank, a.spans, a.calls);
  });
  keep_busiest(ranks, notes);
  return notes;
}

}  // namespace tauprof
