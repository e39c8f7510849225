// Each row of the ledger in which nothing computes is a finding from its share on (docs/metrics.md, "Findings").
#include <gtest/gtest.h>

#include "findings/finders.h"
#include "metrics/run/row_places.h"

namespace tauprof {
namespace {

constexpr Nanoseconds kStep = 1'000'000;

struct RowOfDocument {
  LedgerRow row;
  int permille;  // of the step, from which on it is a finding
  const char* id;
};

constexpr RowOfDocument kRows[] = {
    {LedgerRow::kIdleDataWait, 30, "data-wait"},
    {LedgerRow::kIdleHostSync, 30, "host-sync"},
    {LedgerRow::kIdleHostAllocation, 30, "allocation"},
    {LedgerRow::kIdleHostLaunch, 50, "launch-bound"},
    {LedgerRow::kIdleHostStall, 30, "host-stall"},
    {LedgerRow::kExposedCommTransfer, 50, "exposed-comm"},
    {LedgerRow::kExposedCommUnsplit, 50, "exposed-comm-unsplit"},
    {LedgerRow::kExposedCommWait, 50, "comm-wait"},
    {LedgerRow::kExposedCopy, 30, "exposed-copy"},
    {LedgerRow::kIdleDependency, 50, "dependency"},
    {LedgerRow::kIdleDeviceLatency, 50, "device-latency"},
    {LedgerRow::kUnclassified, 10, "unclassified"},
    {LedgerRow::kIdleOther, 20, "unexplained-idle"},
};

// Ranks with one step each; `times`: what of it is in the row.
std::vector<RankTimeline> ranks_with(LedgerRow row, const std::vector<Nanoseconds>& times) {
  std::vector<RankTimeline> ranks(times.size());
  for (size_t i = 0; i < times.size(); ++i) {
    ranks[i].rank = static_cast<int32_t>(i);
    RankStep step;
    step.device = {0, kStep};
    step.cells = {{Phase::kForward, row, times[i]}, {Phase::kForward, LedgerRow::kCompute, kStep - times[i]}};
    ranks[i].steps.push_back(step);
  }
  return ranks;
}

RunMetrics metrics_of(const std::vector<RankTimeline>& ranks) {
  RunMetrics metrics;
  std::vector<const RankTimeline*> all;
  for (const RankTimeline& rank : ranks) {
    all.push_back(&rank);
    metrics.ranks.emplace_back().step_ns = kStep;
    for (const LedgerCell& cell : rank.steps[0].cells) metrics.time.ledger.add(cell.phase, cell.row, cell.length);
  }
  metrics.time.windows = ranks.size();
  StepSelection steps;
  steps.analysed.push_back({0, double{kStep}, double{kStep}});
  steps.numbers.insert(0);
  metrics.time.row_places = row_places(all, steps);
  return metrics;
}

std::vector<Finding> findings_of(const RunMetrics& metrics) {
  std::vector<Finding> found;
  add_ledger_findings(RunFacts(), metrics, found);
  return found;
}

class RowsOfLedger : public testing::TestWithParam<RowOfDocument> {};

TEST_P(RowsOfLedger, AreFindingsFromTheirShareOn) {
  const auto& [row, permille, id] = GetParam();
  const Nanoseconds least = kStep * permille / 1000;
  const std::vector<Finding> found = findings_of(metrics_of(ranks_with(row, {least, least})));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(name_of(found[0].id), id);
  EXPECT_TRUE(findings_of(metrics_of(ranks_with(row, {least - 1000, least - 1000}))).empty());
}

INSTANTIATE_TEST_SUITE_P(All, RowsOfLedger, testing::ValuesIn(kRows));

TEST(RowsOfLedger, AreAllThereButThoseThatCompute) { EXPECT_EQ(std::size(kRows), kLedgerRowCount - 2); }

TEST(RowOfSomeRanks, NamesAllThatHaveTheSame) {
  std::vector<Nanoseconds> times(64, 0);
  std::vector<int32_t> stalled;
  for (int32_t rank = 0; rank < 64; rank += 4) {
    times[rank] = 300'000 + rank;
    stalled.push_back(rank);
  }
  const std::vector<Finding> found = findings_of(metrics_of(ranks_with(LedgerRow::kIdleHostStall, times)));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].ranks, stalled);
}

TEST(RowOfSomeRanks, LeavesOutThoseWithLittle) {
  const std::vector<Finding> found =
      findings_of(metrics_of(ranks_with(LedgerRow::kIdleHostStall, {300'000, 10'000, 5'000, 2'000})));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].ranks, std::vector<int32_t>{0});
}

}  // namespace
}  // namespace tauprof
