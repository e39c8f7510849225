// Kernels in stretches of a run.
#include <gtest/gtest.h>

#include "limits/analysis_limits.h"
#include "metrics/kernels/kernel_table.h"
#include "metrics/kernels/kernel_totals.h"

namespace tauprof {
namespace {

// A rank with one kernel of 10 ns in each step.
RankTimeline rank_of(size_t steps) {
  RankTimeline rank;
  rank.kernel_names = {"gemm"};
  for (size_t i = 0; i < steps; ++i) {
    RankStep step;
    step.number = static_cast<int64_t>(i);
    step.device = Interval{static_cast<Nanoseconds>(100 * i), static_cast<Nanoseconds>(100 * i + 100)};
    step.host = *step.device;
    rank.steps.push_back(step);
    const size_t table = kernel_table_of(i, steps);
    rank.kernels.resize(table + 1);
    if (rank.kernels[table].empty()) rank.kernels[table].push_back({0, SpanClass::kCompute, 0, 0});
    ++rank.kernels[table].front().count;
    rank.kernels[table].front().total += 10;
  }
  return rank;
}

KernelMetrics kernel_of(const std::vector<RankTimeline>& ranks) {
  std::vector<const RankTimeline*> all;
  for (const RankTimeline& rank : ranks) all.push_back(&rank);
  return kernel_table(all, select_steps(ranks, std::nullopt)).front();
}

TEST(KernelTables, AreOneForEachLeadingStepAndSharedByLaterOnes) {
  EXPECT_EQ(kernel_table_of(3, 1000), 3u);
  EXPECT_EQ(kernel_table_of(kLeadingSteps, 1000), kLeadingSteps);
  EXPECT_EQ(kernel_table_of(999, 1000), kLeadingSteps + kMostStretches - 1);
  EXPECT_EQ(kernel_table_of(19, 20), 19u);
}

TEST(KernelStretches, AreStepsIfThereAreFew) {
  const KernelMetrics kernel = kernel_of({rank_of(20), rank_of(20)});
  EXPECT_EQ(kernel.per_step.in_stretches_ns, std::vector<double>(20, 10.0));
  EXPECT_DOUBLE_EQ(kernel.per_step.mean_ns, 10);
}

TEST(KernelStretches, OfManyStepsAreOfAboutEqualLength) {
  // 984 steps in 32 tables of 30 or 31; the 16 leading steps are a stretch of their own.
  const KernelMetrics kernel = kernel_of({rank_of(1000)});
  EXPECT_EQ(kernel.count, 1000u);
  EXPECT_EQ(kernel.per_step.in_stretches_ns.size(), kMostStretches + 1);
  for (const double mean : kernel.per_step.in_stretches_ns) EXPECT_DOUBLE_EQ(mean, 10);
  EXPECT_NEAR(kernel.per_step.mean_ns, 10, 1e-9);
}

TEST(KernelStretches, AlwaysLeaveEnoughToJudge) {
  for (size_t steps = kFewestStepsToJudge; steps < 400; ++steps)
    EXPECT_GE(kernel_of({rank_of(steps)}).per_step.in_stretches_ns.size(), kFewestStepsToJudge) << steps;
}

}  // namespace
}  // namespace tauprof
