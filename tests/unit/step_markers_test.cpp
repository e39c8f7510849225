// Which ranges mark steps.
#include "steps/step_markers.h"

#include <gtest/gtest.h>

#include "trace_builder.h"

namespace tauprof {
namespace {

std::vector<int64_t> numbers_of(const StepMarkers& markers) {
  std::vector<int64_t> numbers;
  for (const HostStep& step : markers.steps) numbers.push_back(step.number);
  return numbers;
}

TEST(StepMarkers, AreNeitherEpochsNorMicroSteps) {
  TraceBuilder process;
  process.range("epoch 0", 0, 1000);
  for (int step = 0; step < 2; ++step) {
    process.range("train_step " + std::to_string(step), 100 + 400 * step, 480 + 400 * step);
    for (int micro = 0; micro < 4; ++micro) {
      const Nanoseconds start = 110 + 400 * step + 90 * micro;
      process.range("micro_step " + std::to_string(4 * step + micro), start, start + 80);
    }
  }
  const StepMarkers markers = find_step_markers(process.build());
  EXPECT_EQ(markers.family, "train_step");
  EXPECT_EQ(numbers_of(markers), (std::vector<int64_t>{0, 1}));
  EXPECT_EQ(markers.steps[0].end, markers.steps[1].start) << "a step lasts until the next one starts";
  EXPECT_EQ(markers.steps[1].end, 880);
}

TEST(StepMarkers, OfTheFrameworkWinEvenWithASingleOne) {
  TraceBuilder process;
  process.range("step 1", 0, 10);
  process.range("step 2", 10, 20);
  process.range("ProfilerStep#7", 0, 20, log::RangeSource::kAnnotation);
  const StepMarkers markers = find_step_markers(process.build());
  EXPECT_EQ(markers.family, "ProfilerStep#");
  EXPECT_EQ(numbers_of(markers), (std::vector<int64_t>{7}));
}

TEST(StepMarkers, AreCountedWhenTheirNumbersDoNotIncrease) {
  TraceBuilder process;
  process.range("iteration 5", 0, 10);
  process.range("iteration 5", 10, 20);
  EXPECT_EQ(numbers_of(find_step_markers(process.build())), (std::vector<int64_t>{0, 1}));
}

TEST(StepMarkers, CanBeInstants) {
  TraceBuilder process;
  process.mark("step=3", 100);
  process.mark("step=4", 200);
  process.call("cudaLaunchKernel", 250, 260);
  const StepMarkers markers = find_step_markers(process.build());
  EXPECT_FALSE(markers.are_ranges);
  EXPECT_EQ(numbers_of(markers), (std::vector<int64_t>{3, 4}));
  EXPECT_EQ(markers.steps[1].end, 261) << "the last lasts as long as the log";
}

TEST(StepMarkers, MayOverlapByWhatTheirTimesAreRounded) {
  TraceBuilder process;
  process.range("train_step 0", 0, 1001);
  process.range("train_step 1", 1000, 2001);
  process.range("train_step 2", 2000, 3000);
  EXPECT_EQ(numbers_of(find_step_markers(process.build())), (std::vector<int64_t>{0, 1, 2}));
}

TEST(StepMarkers, DoNotOverlapEachOther) {
  TraceBuilder process;
  process.range("step 1", 0, 100'000);
  process.range("step 2", 50'000, 150'000);
  EXPECT_TRUE(find_step_markers(process.build()).steps.empty());
}

TEST(StepMarkers, MayOverlapByWhatATraceRoundsItsTimesTo) {
  TraceBuilder process;
  process.range("step 1", 0, 100'000);
  process.range("step 2", 99'500, 200'000);
  EXPECT_EQ(find_step_markers(process.build()).steps.size(), 2u);
}

TEST(StepMarkers, MustRecur) {
  TraceBuilder process;
  process.range("step 1", 0, 100);
  EXPECT_TRUE(find_step_markers(process.build()).steps.empty());
}

TEST(StepMarkers, AreNotPartsOfSteps) {
  TraceBuilder process;
  for (int i = 0; i < 3; ++i) {
    process.range("optimizer_step " + std::to_string(i), 100 * i, 100 * i + 50);
    process.range("lr_sched step", 100 * i + 60, 100 * i + 70);
  }
  EXPECT_TRUE(find_step_markers(process.build()).steps.empty());
}

TEST(StepMarkers, OfTheMainThreadWin) {
  TraceBuilder process;
  process.switch_thread("worker");
  process.range("step 0", 0, 500);
  process.range("step 1", 500, 1000);
  process.switch_thread("main");
  process.range("step 0", 10, 20);
  process.range("step 1", 30, 40);
  EXPECT_EQ(find_step_markers(process.build()).steps[0].start, 10);
}

TEST(StepMarkers, AreNotAFrameworksOperators) {
  TraceBuilder process;
  process.range("step 0", 0, 10, log::RangeSource::kOperator);
  process.range("step 1", 10, 20, log::RangeSource::kOperator);
  EXPECT_TRUE(find_step_markers(process.build()).steps.empty());
}

}  // namespace
}  // namespace tauprof
