#include "metrics/run/step_growth.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "limits/analysis_limits.h"
#include "metrics/collectives/bandwidth.h"

namespace tauprof {
namespace {

bool is_transfer(LedgerRow row) {
  return row == LedgerRow::kExposedCommTransfer || row == LedgerRow::kExposedCommUnsplit;
}

}  // namespace

StepGrowth::StepGrowth(const std::vector<const RankTimeline*>& ranks, const StepSelection& steps) : ranks_(ranks) {
  for (const RankTimeline* const rank : ranks) {
    RankRows rank_rows{rank->rank, {}};
    for (const RankStep& step : rank->steps) {
      if (!steps.has(step.number) || !step.device) continue;
      LedgerRows& rows = rank_rows.of_step[step.number];
      for (const LedgerCell& cell : step.cells) rows[static_cast<size_t>(cell.row)] += cell.length;
    }
    if (!rank_rows.of_step.empty()) rows_.push_back(std::move(rank_rows));
  }
}

StepGrowth::MeansOfRows StepGrowth::means(const RankRows& rank, const std::set<int64_t>& changed,
                                          const std::set<int64_t>& others) {
  MeansOfRows means;
  double n = 0, m = 0;
  for (const auto& [step, rows] : rank.of_step) {
    n += changed.count(step) > 0 ? 1 : 0;
    m += others.count(step) > 0 ? 1 : 0;
  }
  for (const auto& [step, rows] : rank.of_step)
    for (size_t row = 0; row < kLedgerRowCount; ++row) {
      if (changed.count(step) > 0) means[row].changed += static_cast<double>(rows[row]) / n;
      if (others.count(step) > 0) means[row].usual += static_cast<double>(rows[row]) / m;
    }
  return means;
}

Growth StepGrowth::between(const std::set<int64_t>& changed, const std::set<int64_t>& others, double growth_ns) const {
  const double sign = growth_ns < 0 ? -1 : 1;
  Growth change;
  std::vector<MeansOfRows> of_ranks;
  for (const RankRows& rank : rows_) of_ranks.push_back(means(rank, changed, others));
  std::array<double, kLedgerRowCount> most{};
  for (const MeansOfRows& rank : of_ranks)
    for (size_t row = 0; row < kLedgerRowCount; ++row) most[row] = std::max(most[row], sign * rank[row].growth());
  const auto waiting = static_cast<size_t>(LedgerRow::kExposedCommWait);
  const double waited = std::exchange(most[waiting], 0);
  auto row = static_cast<size_t>(std::max_element(most.begin(), most.end()) - most.begin());
  // Nothing that was recorded explains the waiting.
  if (most[row] < kLeastGrowthOfRow * sign * growth_ns) {
    most[waiting] = waited;
    if (waited > most[row]) row = waiting;
  }
  change.row = static_cast<LedgerRow>(row);
  double named = 0;
  for (size_t i = 0; i < rows_.size(); ++i) {
    if (!is_as_much(sign * of_ranks[i][row].growth(), most[row])) continue;
    change.ranks.push_back(rows_[i].rank);
    change.usual_ns += of_ranks[i][row].usual;
    change.changed_ns += of_ranks[i][row].changed;
    ++named;
  }
  if (named > 0) {
    change.usual_ns /= named;
    change.changed_ns /= named;
  }
  if (are_most(change.ranks.size(), rows_.size())) change.ranks.clear();
  if (is_transfer(change.row)) change.collective = collective(changed, others, sign);
  return change;
}

std::optional<ChangedCollective> StepGrowth::collective(const std::set<int64_t>& changed,
                                                        const std::set<int64_t>& others, double sign) const {
  struct Transfers {
    double changed = 0, usual = 0, changed_count = 0, usual_count = 0;
  };
  std::map<std::tuple<log::Operation, int64_t>, Transfers> kinds;
  for (const RankTimeline* const rank : ranks_)
    for (const RankCollective& collective : rank->collectives) {
      if (collective.step == kNoStep) continue;
      const int64_t step = rank->steps[collective.step].number;
      const auto length =
          static_cast<double>(collective.is_split ? collective.transfer() : collective.end - collective.start);
      const int64_t bytes =
          collective_bytes(collective.operation, collective.count, collective.datatype, collective.communicator_size);
      Transfers& transfers = kinds[{collective.operation, bytes}];
      if (changed.count(step) > 0) transfers.changed += length, ++transfers.changed_count;
      if (others.count(step) > 0) transfers.usual += length, ++transfers.usual_count;
    }
  std::optional<ChangedCollective> most;
  double growth = 0;
  for (const auto& [kind, transfers] : kinds) {
    if (transfers.changed_count == 0 || transfers.usual_count == 0) continue;
    const double usual = transfers.usual / transfers.usual_count, now = transfers.changed / transfers.changed_count;
    if (sign * (now - usual) * transfers.changed_count <= growth) continue;
    growth = sign * (now - usual) * transfers.changed_count;
    most = ChangedCollective{std::get<0>(kind), std::get<1>(kind), usual, now};
  }
  return most;
}

}  // namespace tauprof
