#include "metrics/run/rank_shares.h"

#include <algorithm>
#include <numeric>
#include <unordered_map>

namespace tauprof {
namespace {

// Of an analysed step, over all ranks.
struct TimesOfStep {
  size_t ranks = 0;    // that have device times of it
  double waited = 0;   // the cost of their waiting, which somebody may be to blame for
  double unsplit = 0;  // communication that cannot be split
  double blamed = 0;   // waiting by whom it is charged to, or to nobody
};

// By step of a rank: how long it waited while it computed.
std::vector<Nanoseconds> hidden_waits(const RankTimeline& rank) {
  std::vector<Nanoseconds> waits(rank.steps.size(), 0);
  for (const RankCollective& collective : rank.collectives)
    if (collective.step != kNoStep) waits[static_cast<size_t>(collective.step)] += collective.wait();
  for (size_t i = 0; i < waits.size(); ++i) {
    Nanoseconds hidden = rank.steps[i].comm;  // all of its communication, less what is exposed
    for (const LedgerCell& cell : rank.steps[i].cells) {
      if (cell.row == LedgerRow::kExposedCommWait) waits[i] -= cell.length;
      if (cell.row == LedgerRow::kExposedCommWait || cell.row == LedgerRow::kExposedCommTransfer ||
          cell.row == LedgerRow::kExposedCommUnsplit)
        hidden -= cell.length;
    }
    waits[i] = std::clamp<Nanoseconds>(waits[i], 0, std::max<Nanoseconds>(0, hidden));
  }
  return waits;
}

// A rank's own time by analysed step; adds up what its waiting cost.
std::vector<double> own_times(const RankTimeline& rank, const std::unordered_map<int64_t, size_t>& index, double loss,
                              std::vector<TimesOfStep>& times) {
  std::vector<double> own(times.size(), 0);
  const std::vector<Nanoseconds> hidden = hidden_waits(rank);
  for (size_t i = 0; i < rank.steps.size(); ++i) {
    const RankStep& step = rank.steps[i];
    const auto found = index.find(step.number);
    if (found == index.end() || !step.device) continue;
    TimesOfStep& all = times[found->second];
    double waited = loss * static_cast<double>(hidden[i]), unsplit = 0;
    for (const LedgerCell& cell : step.cells) {
      if (cell.row == LedgerRow::kExposedCommWait) waited += static_cast<double>(cell.length);
      if (cell.row == LedgerRow::kExposedCommUnsplit) unsplit += static_cast<double>(cell.length);
    }
    own[found->second] += static_cast<double>(step.device->length()) - waited - unsplit;
    all.waited += waited;
    all.unsplit += unsplit;
    ++all.ranks;
  }
  return own;
}

// Keeps the values of steps that some rank has device times of.
void keep_timed(const std::vector<TimesOfStep>& times, std::vector<double>& by_step) {
  size_t kept = 0;
  for (size_t step = 0; step < times.size(); ++step)
    if (times[step].ranks > 0) by_step[kept++] = by_step[step] / static_cast<double>(times[step].ranks);
  by_step.resize(kept);
}

}  // namespace

void add_rank_shares(const std::vector<const RankTimeline*>& ranks, const StepSelection& steps,
                     const StragglerReport& stragglers, double loss, StepSeries& series) {
  std::unordered_map<int64_t, size_t> index;
  for (size_t i = 0; i < steps.analysed.size(); ++i) index[steps.analysed[i].number] = i;
  std::vector<TimesOfStep> times(steps.analysed.size());
  for (const RankTimeline* const rank : ranks)
    series.ranks.push_back({rank->rank, own_times(*rank, index, loss, times)});

  for (size_t step = 0; step < times.size(); ++step) times[step].blamed = stragglers.unblamed_in[step];
  for (const RankBlame& rank : stragglers.ranks)
    for (const auto& [step, by_cause] : rank.by_step)
      times[step].blamed += std::accumulate(by_cause.begin(), by_cause.end(), 0.0);

  series.nobody_ns.clear();
  for (const TimesOfStep& of_step : times) series.nobody_ns.push_back(of_step.unsplit + of_step.waited);
  for (RankShare& share : series.ranks) {
    const auto blame = std::find_if(stragglers.ranks.begin(), stragglers.ranks.end(),
                                    [&](const RankBlame& rank) { return rank.rank == share.rank; });
    if (blame == stragglers.ranks.end()) continue;
    for (const auto& [step, by_cause] : blame->by_step) {
      const TimesOfStep& all = times[step];
      const double blamed = std::accumulate(by_cause.begin(), by_cause.end(), 0.0);
      const double caused = all.blamed > 0 ? all.waited * blamed / all.blamed : 0;
      share.ns[step] += caused;
      series.nobody_ns[step] -= caused;
    }
  }
  for (RankShare& share : series.ranks) keep_timed(times, share.ns);
  keep_timed(times, series.nobody_ns);
}

}  // namespace tauprof
