// Patterns of waiting for input.
#include "metrics/input/data_pipeline.h"

#include <gtest/gtest.h>

namespace tauprof {
namespace {

constexpr Nanoseconds kMs = 1'000'000;

// A rank whose steps take 100 ms, or units, on the device and wait the given number of them for their batch. `noticed`:
// the share of that in which the device idles.
RankInput input_of(const std::vector<int>& waits, Nanoseconds unit = kMs, double noticed = 1) {
  RankTimeline rank;
  StepSelection selection;
  for (size_t i = 0; i < waits.size(); ++i) {
    RankStep step;
    step.number = static_cast<int64_t>(i);
    step.device = {static_cast<Nanoseconds>(i) * 100 * unit, static_cast<Nanoseconds>(i + 1) * 100 * unit};
    step.host_by_phase[static_cast<size_t>(Phase::kDataloadWait)] = waits[i] * unit;
    step.cells.push_back({Phase::kDataloadWait, LedgerRow::kIdleDataWait,
                          static_cast<Nanoseconds>(noticed * static_cast<double>(waits[i] * unit))});
    step.batches = 2;
    rank.steps.push_back(step);
    selection.numbers.insert(step.number);
  }
  return data_pipeline({&rank}, selection).ranks.front();
}

TEST(DataPipeline, FindsNoPatternWithoutWaits) {
  EXPECT_EQ(input_of(std::vector<int>(12, 0)).pattern, WaitPattern::kNone);
}

TEST(DataPipeline, CallsEqualWaitsSteady) {
  EXPECT_EQ(input_of({30, 31, 29, 30, 33, 28, 30, 31, 30, 29}).pattern, WaitPattern::kSteady);
}

TEST(DataPipeline, FindsWorkersThatRunDryTogether) {
  const RankInput input = input_of({0, 0, 0, 31, 0, 0, 0, 29, 0, 0, 0, 30, 0, 0, 0, 30});
  EXPECT_EQ(input.pattern, WaitPattern::kEveryNth);
  EXPECT_EQ(input.every, 4u);
  EXPECT_EQ(input.long_steps, (std::vector<int64_t>{3, 7, 11, 15}));
  EXPECT_DOUBLE_EQ(input.long_wait_ns, 30.0 * kMs);
}

TEST(DataPipeline, MicrosecondsAreNoWaits) {
  EXPECT_EQ(input_of({0, 0, 0, 31, 0, 0, 0, 29, 0, 0, 0, 30, 0, 0, 0, 30}, 1000).pattern, WaitPattern::kNone);
}

TEST(DataPipeline, WaitsOfHundredMicrosecondsOnceAreNoneEither) {
  EXPECT_EQ(input_of({1, 60, 1, 60, 1, 1, 101, 1, 1, 60, 1, 1}, 1000).pattern, WaitPattern::kSteady);
}

TEST(DataPipeline, WaitsThatNoDeviceNoticesHaveNoPattern) {
  const std::vector<int> waits = {0, 0, 0, 31, 0, 0, 0, 29, 0, 0, 0, 30, 0, 0, 0, 30};
  EXPECT_EQ(input_of(waits, kMs, 0.1).pattern, WaitPattern::kNone);
  EXPECT_EQ(input_of(waits, kMs, 0.2).pattern, WaitPattern::kEveryNth);
}

TEST(DataPipeline, FindsOccasionalSlowBatches) {
  EXPECT_EQ(input_of({0, 40, 0, 0, 0, 0, 41, 0, 39, 0, 0, 0, 0, 0, 0, 40}).pattern, WaitPattern::kBimodal);
}

TEST(DataPipeline, CountsBatchesThatComeInTimeBetweenLongWaits) {
  EXPECT_EQ(input_of({0, 0, 0, 31, 0, 0, 0, 29, 0, 0, 0, 30, 0, 0, 0, 30}).batches_between, 6u);
  EXPECT_EQ(input_of({5, 5, 5, 31, 5, 5, 5, 29, 5, 5, 5, 30, 5, 5, 5, 30}).batches_between, 0u);
}

TEST(DataPipeline, TakesTheWaitForTheFirstBatchForNoPattern) {
  EXPECT_EQ(input_of({400, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}).pattern, WaitPattern::kNone);
  EXPECT_EQ(input_of({400, 30, 31, 29, 30, 30, 31, 28, 30, 30, 30, 30}).pattern, WaitPattern::kSteady);
}

TEST(DataPipeline, FindsEpochStarts) {
  std::vector<int> waits(100, 0);
  for (size_t step = 0; step < waits.size(); step += 30) waits[step] = 900;
  const RankInput input = input_of(waits);
  EXPECT_EQ(input.pattern, WaitPattern::kEpochStart);
  EXPECT_EQ(input.every, 30u);
}

TEST(DataPipeline, CountsBatchesPerSecond) {
  RankTimeline rank;
  StepSelection selection;
  for (int i = 0; i < 2; ++i) {
    RankStep step;
    step.number = i;
    step.device = {0, (i + 1) * 500 * kMs};
    step.batches = 2;
    rank.steps.push_back(step);
    selection.numbers.insert(i);
  }
  const DataPipeline input = data_pipeline({&rank}, selection);
  EXPECT_DOUBLE_EQ(*input.batches_per_s_max, 4);
  EXPECT_DOUBLE_EQ(*input.batches_per_s_min, 2);
  EXPECT_DOUBLE_EQ(*input.batches_per_s_mean, 4 / 1.5) << "over all time, not the mean of the steps";
}

}  // namespace
}  // namespace tauprof
