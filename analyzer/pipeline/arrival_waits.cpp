#include "pipeline/arrival_waits.h"

#include <algorithm>
#include <optional>
#include <unordered_map>

#include "metrics/stragglers/late_members.h"

namespace tauprof {
namespace {

class WaitSearch {
 public:
  WaitSearch(const ReplayedRun& run, const std::vector<StepChoice>& steps) : run_(run) {
    for (size_t i = 0; i < steps.size(); ++i) position_of_.emplace(steps[i].number, i);
  }

  void look_at(const MatchedCollective& match) {
    if (match.members.size() < 2 || !match.is_complete()) return;
    const auto is_split = [&](const CollectiveMember& member) { return of(member).is_split; };
    if (!std::all_of(match.members.begin(), match.members.end(), is_split)) return;
    const CollectiveMember& last = match.members[arrivals_of(run_.ranks, match).back().member];
    for (const CollectiveMember& member : match.members) {
      const RankCollective& collective = of(member);
      if (member.rank == last.rank || collective.wait() <= 0) continue;
      if (const std::optional<size_t> step = step_of(member.rank, collective))
        waits_.push_back({*step, member.rank, collective.start, collective.wait(), last.rank, of(last).start,
                          collective.is_upper_bound});
    }
  }

  std::vector<ArrivalWait> take() {
    std::stable_sort(waits_.begin(), waits_.end(),
                     [](const ArrivalWait& a, const ArrivalWait& b) { return a.length > b.length; });
    return std::move(waits_);
  }

 private:
  const RankCollective& of(const CollectiveMember& member) const {
    return run_.ranks[member.rank].collectives[member.collective];
  }
  std::optional<size_t> step_of(uint32_t rank, const RankCollective& collective) const {
    if (collective.step == kNoStep) return std::nullopt;
    const auto found = position_of_.find(run_.ranks[rank].steps[collective.step].number);
    return found == position_of_.end() ? std::nullopt : std::optional(found->second);
  }

  const ReplayedRun& run_;
  std::unordered_map<int64_t, size_t> position_of_;  // of a step's number
  std::vector<ArrivalWait> waits_;
};

}  // namespace

std::vector<ArrivalWait> waits_in(const ReplayedRun& run, const std::vector<StepChoice>& steps) {
  WaitSearch search(run, steps);
  for (const MatchedCollective& match : run.matches) search.look_at(match);
  return search.take();
}

}  // namespace tauprof
