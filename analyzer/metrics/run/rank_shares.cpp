#include "metrics/run/rank_shares.h"

#include <algorithm>
#include <map>

namespace tauprof {
namespace {

struct TimesOfStep {
  std::map<int32_t, double> own;  // by rank
  double waited = 0;              // what waiting cost all of them, that somebody may be to blame for
  double unsplit = 0;
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

// By analysed step.
std::vector<TimesOfStep> times_of(const std::vector<const RankTimeline*>& ranks, const StepSelection& steps,
                                  double loss) {
  std::map<int64_t, size_t> index;
  for (size_t i = 0; i < steps.analysed.size(); ++i) index[steps.analysed[i].number] = i;
  std::vector<TimesOfStep> times(steps.analysed.size());
  for (const RankTimeline* const rank : ranks) {
    const std::vector<Nanoseconds> hidden = hidden_waits(*rank);
    for (size_t i = 0; i < rank->steps.size(); ++i) {
      const RankStep& step = rank->steps[i];
      const auto found = index.find(step.number);
      if (found == index.end() || !step.device) continue;
      TimesOfStep& of = times[found->second];
      double& own = of.own[rank->rank];
      const double lost = loss * static_cast<double>(hidden[i]);
      own += static_cast<double>(step.device->length()) - lost;
      of.waited += lost;
      for (const LedgerCell& cell : step.cells) {
        const bool waits = cell.row == LedgerRow::kExposedCommWait;
        if (!waits && cell.row != LedgerRow::kExposedCommUnsplit) continue;
        own -= static_cast<double>(cell.length);
        (waits ? of.waited : of.unsplit) += static_cast<double>(cell.length);
      }
    }
  }
  return times;
}

}  // namespace

void add_rank_shares(const std::vector<const RankTimeline*>& ranks, const StepSelection& steps,
                     const StragglerReport& stragglers, double loss, StepSeries& series) {
  for (const RankTimeline* const rank : ranks) series.ranks.push_back({rank->rank});
  std::map<int32_t, const RankBlame*> blame;
  for (const RankBlame& of : stragglers.ranks) blame[of.rank] = &of;
  const std::vector<TimesOfStep> times = times_of(ranks, steps, loss);
  for (size_t step = 0; step < times.size(); ++step) {
    const TimesOfStep& of = times[step];
    if (of.own.empty()) continue;
    double blamed = stragglers.unblamed_in[step];
    for (const RankBlame& rank : stragglers.ranks) blamed += rank.total_ns_in(step);
    const double exposed = blamed > 0 ? of.waited / blamed : 0;  // what waiting cost, for each ns of blame
    const auto n = static_cast<double>(of.own.size());
    double nobody = of.unsplit + of.waited;
    for (RankShare& rank : series.ranks) {
      const double caused = exposed * blame.at(rank.rank)->total_ns_in(step);
      const auto own = of.own.find(rank.rank);
      rank.ns.push_back(((own == of.own.end() ? 0 : own->second) + caused) / n);
      nobody -= caused;
    }
    series.nobody_ns.push_back(nobody / n);
  }
}

}  // namespace tauprof
