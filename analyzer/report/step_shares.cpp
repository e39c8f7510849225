#include "report/step_shares.h"

#include <fmt/format.h>

#include <algorithm>

#include "limits/analysis_limits.h"

namespace tauprof {
namespace {

constexpr double kSmallShare = 0.005;  // rows below it are rounded to "0 %", and summed as "other"

// "waiting for rank 2": whom most of the waiting is for, if it is a single rank. In a pipeline, much of it is the
// schedule's.
std::string waiting_name(const RunMetrics& metrics) {
  const std::vector<Straggler>& found = metrics.stragglers.found;
  const auto waited = static_cast<double>(metrics.time.ledger.rows()[static_cast<size_t>(LedgerRow::kExposedCommWait)]);
  const bool is_most =
      found.size() == 1 && explains(found.front().score * static_cast<double>(metrics.step_ns()), waited);
  return is_most ? fmt::format("waiting for rank {}", found.front().rank)
                 : std::string(kind_of(LedgerRow::kExposedCommWait).label);
}

}  // namespace

std::vector<StepShare> step_shares(const RunMetrics& metrics) {
  if (metrics.step_ns() <= 0) return {};
  const LedgerRows rows = metrics.time.ledger.rows();
  double other = 0;
  std::vector<StepShare> shares;
  for (size_t i = 0; i < kLedgerRowCount; ++i) {
    const auto row = static_cast<LedgerRow>(i);
    const double share = static_cast<double>(rows[i]) / static_cast<double>(metrics.step_ns());
    if (share < kSmallShare)
      other += share;
    else
      shares.push_back(
          {share, row == LedgerRow::kExposedCommWait ? waiting_name(metrics) : std::string(kind_of(row).label), row});
  }
  std::stable_sort(shares.begin(), shares.end(),
                   [](const StepShare& a, const StepShare& b) { return a.share > b.share; });
  if (other >= kSmallShare) shares.push_back({other, "other", std::nullopt});
  return shares;
}

}  // namespace tauprof
