#include "metrics/collectives/step_agreement.h"

#include <algorithm>
#include <map>

#include "limits/analysis_limits.h"

namespace tauprof {
namespace {

using Votes = std::map<int64_t, size_t>;  // shift → collectives that ask for it

bool are_marked(const RankTimeline& rank) { return rank.steps_source.rfind("marker", 0) == 0; }

const RankStep* step_of(const std::vector<RankTimeline>& ranks, const CollectiveMember& member) {
  const int32_t step = called(ranks, member).step;
  return step == kNoStep ? nullptr : &ranks[member.rank].steps[step];
}

std::vector<Votes> vote(const std::vector<RankTimeline>& ranks, const std::vector<MatchedCollective>& matches,
                        size_t reference) {
  std::vector<Votes> votes(ranks.size());
  for (const MatchedCollective& match : matches) {
    const std::vector<CollectiveMember> callers = callers_of(match);
    const auto caller = std::find_if(callers.begin(), callers.end(),
                                     [&](const CollectiveMember& member) { return member.rank == reference; });
    if (caller == callers.end()) continue;
    const RankStep* const step = step_of(ranks, *caller);
    if (step == nullptr) continue;
    for (const CollectiveMember& member : callers)
      if (const RankStep* const other = step_of(ranks, member); other != nullptr)
        ++votes[member.rank][step->number - other->number];
  }
  return votes;
}

}  // namespace

StepAgreement agree_on_steps(std::vector<RankTimeline>& ranks, const std::vector<MatchedCollective>& matches) {
  StepAgreement agreement;
  if (ranks.size() < 2 || std::any_of(ranks.begin(), ranks.end(), are_marked)) return agreement;
  const auto most = std::max_element(ranks.begin(), ranks.end(), [](const RankTimeline& a, const RankTimeline& b) {
    return a.steps.size() < b.steps.size();
  });
  const std::vector<Votes> votes = vote(ranks, matches, static_cast<size_t>(most - ranks.begin()));
  int64_t lowest = 0;
  for (size_t i = 0; i < ranks.size(); ++i) {
    if (votes[i].empty()) continue;
    const auto winner = std::max_element(votes[i].begin(), votes[i].end(),
                                         [](const auto& a, const auto& b) { return a.second < b.second; });
    size_t all = 0;
    for (const auto& [shift, count] : votes[i]) all += count;
    const bool differs = static_cast<double>(winner->second) < kAgreeingCollectives * static_cast<double>(all);
    if (differs && ranks[i].steps_source != kByTime) agreement.disagreeing.push_back(ranks[i].rank);
    if (winner->first == 0) continue;
    agreement.shifted.push_back(ranks[i].rank);
    for (RankStep& step : ranks[i].steps) lowest = std::min(lowest, step.number += winner->first);
  }
  for (RankTimeline& rank : ranks)
    for (RankStep& step : rank.steps) step.number -= lowest;
  return agreement;
}

}  // namespace tauprof
