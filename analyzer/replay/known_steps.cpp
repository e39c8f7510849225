#include "replay/known_steps.h"

#include <algorithm>
#include <map>
#include <set>

#include "limits/analysis_limits.h"

namespace tauprof {
namespace {

using TimeByStep = std::map<int64_t, Nanoseconds>;

class StepSearch {
 public:
  StepSearch(const std::vector<RankTimeline>& ranks, const StepSelection& analysed)
      : ranks_(ranks), numbers_(ranks.size()), least_(kMostReplayError * mean_length(analysed)) {
    for (size_t rank = 0; rank < ranks.size(); ++rank)
      for (const RankStep& step : ranks[rank].steps) numbers_[rank].insert(step.number);
  }

  std::set<int64_t> without_waits(const std::vector<MatchedCollective>& matches) const {
    std::vector<std::set<uint32_t>> unknown(ranks_.size());
    for (size_t rank = 0; rank < ranks_.size(); ++rank)
      for (uint32_t i = 0; i < ranks_[rank].collectives.size(); ++i)
        if (const RankCollective& one = ranks_[rank].collectives[i]; one.communicator_size != 1 && !one.is_split)
          unknown[rank].insert(i);
    for (const MatchedCollective& match : matches) {
      std::map<int64_t, bool> had;  // by number: mostly one
      for (const CollectiveMember& member : match.members) {
        const int64_t number = number_of(member.rank, collective(member));
        const auto [known, is_new] = had.try_emplace(number);
        if (is_new) known->second = all_have(match, number);
        if (!known->second) unknown[member.rank].insert(member.collective);
      }
    }
    std::set<int64_t> found;
    for (size_t rank = 0; rank < ranks_.size(); ++rank) {
      TimeByStep lengths;
      for (const uint32_t i : unknown[rank]) {
        const RankCollective& one = ranks_[rank].collectives[i];
        lengths[number_of(rank, one)] += one.end - one.start;
      }
      add_long(lengths, found);
    }
    return found;
  }

  std::set<int64_t> contradicting() const {
    TimeByStep most;
    for (size_t rank = 0; rank < ranks_.size(); ++rank)
      for (const RankCollective& one : ranks_[rank].collectives) {
        Nanoseconds& known = most[number_of(rank, one)];
        known = std::max(known, one.rare->contradiction);
      }
    std::set<int64_t> found;
    add_long(most, found);
    return found;
  }

 private:
  static double mean_length(const StepSelection& analysed) {
    double sum = 0;
    size_t count = 0;
    for (const StepDuration& step : analysed.analysed)
      if (step.device_ns) sum += *step.device_ns, ++count;
    return count == 0 ? 0 : sum / static_cast<double>(count);
  }

  const RankCollective& collective(const CollectiveMember& member) const {
    return ranks_[member.rank].collectives[member.collective];
  }
  int64_t number_of(size_t rank, const RankCollective& one) const {
    const auto step = static_cast<size_t>(one.step);
    return one.step == kNoStep || step >= ranks_[rank].steps.size() ? kNoStep : ranks_[rank].steps[step].number;
  }
  bool all_have(const MatchedCollective& match, int64_t number) const {
    return std::all_of(match.members.begin(), match.members.end(),
                       [&](const CollectiveMember& member) { return numbers_[member.rank].contains(number); });
  }
  void add_long(const TimeByStep& times, std::set<int64_t>& numbers) const {
    for (const auto& [number, time] : times)
      if (static_cast<double>(time) > least_) numbers.insert(number);
  }

  const std::vector<RankTimeline>& ranks_;
  std::vector<std::set<int64_t>> numbers_;  // of each rank's steps
  const double least_;                      // a longer time is no negligible part of a step
};

std::string steps_text(size_t count, size_t of) {
  return std::to_string(count) + " of " + std::to_string(of) + (of == 1 ? " step" : " steps");
}

}  // namespace

std::string KnownSteps::limited_to() const {
  if (left_out() == 0) return {};
  const size_t count = steps.analysed.size();
  std::string text = steps_text(count, count + left_out()) + ": in ";
  if (without_waits > 0)
    text += std::to_string(without_waits) +
            " it is not known how long ranks wait in collectives, as where a member's log lacks them";
  if (contradicting > 0)
    text += (without_waits > 0 ? "; in " : "") + std::to_string(contradicting) +
            ", or where they end, the ranks' clocks contradict each other";
  return text;
}

KnownSteps known_steps(const std::vector<RankTimeline>& ranks, const std::vector<MatchedCollective>& matches,
                       const StepSelection& analysed) {
  const StepSearch search(ranks, analysed);
  const std::set<int64_t> without_waits = search.without_waits(matches), contradicting = search.contradicting();
  KnownSteps known{analysed, 0, 0};
  known.steps.analysed.clear();
  known.steps.numbers.clear();
  size_t timed = 0;
  for (const StepDuration& step : analysed.analysed) {
    if (without_waits.contains(step.number)) {
      ++known.without_waits;
    } else if (contradicting.contains(step.number) || contradicting.contains(step.number + 1)) {
      ++known.contradicting;
    } else {
      timed += step.device_ns.has_value();
      known.steps.analysed.push_back(step);
      known.steps.numbers.insert(step.number);
    }
  }
  return timed < kFewestKnownSteps ? KnownSteps{analysed, 0, 0} : known;
}

}  // namespace tauprof
