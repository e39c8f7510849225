// An instant has the phase of the innermost range that has one.
#include "phases/phase_track.h"

#include <gtest/gtest.h>

#include "phases/phase_rules.h"
#include "trace_builder.h"

namespace tauprof {
namespace {

class PhaseTrackTest : public testing::Test {
 protected:
  std::vector<std::optional<Phase>> at(const std::vector<Nanoseconds>& times) {
    const ProcessTrace& trace = process.build();
    RangePhases of_ranges(trace, PhaseRules::shipped());
    const PhaseTrack track(trace.ranges.data(), trace.ranges.data() + trace.ranges.size(), of_ranges);
    PhaseTrack::Cursor cursor(track);
    std::vector<std::optional<Phase>> phases;
    for (Nanoseconds time : times) phases.push_back(cursor.at(time));
    return phases;
  }

  TraceBuilder process;
};

using Phases = std::vector<std::optional<Phase>>;

TEST_F(PhaseTrackTest, TheInnermostRangeDecides) {
  process.range("forward", 10, 100);
  process.range("h2d", 20, 30);
  EXPECT_EQ(at({9, 10, 20, 29, 30, 99, 100}),
            (Phases{std::nullopt, Phase::kForward, Phase::kHostToDevice, Phase::kHostToDevice, Phase::kForward,
                    Phase::kForward, std::nullopt}));
}

TEST_F(PhaseTrackTest, RangesWithoutAPhaseHideNothing) {
  process.range("forward", 10, 100);
  process.range("aten::linear", 20, 30);
  EXPECT_EQ(at({25}), (Phases{Phase::kForward}));
}

TEST_F(PhaseTrackTest, RangesWithTheSameStartNestByLength) {
  process.range("zero_grad", 10, 20);
  process.range("backward", 10, 100);
  EXPECT_EQ(at({10, 20}), (Phases{Phase::kZeroGradSched, Phase::kBackward}));
}

TEST_F(PhaseTrackTest, ForwardInsideBackwardIsComputedAgain) {
  process.range("backward", 10, 100);
  process.range("forward", 20, 40);
  EXPECT_EQ(at({15, 25, 50}), (Phases{Phase::kBackward, Phase::kBackward, Phase::kBackward}));
}

TEST_F(PhaseTrackTest, ARangeThatOverlapsItsSuccessorByRoundingEndsThere) {
  process.range("forward", 10, 51);
  process.range("backward", 50, 100);
  EXPECT_EQ(at({49, 50, 60, 99}), (Phases{Phase::kForward, Phase::kBackward, Phase::kBackward, Phase::kBackward}));
}

TEST_F(PhaseTrackTest, ARangeThatOutlivesItsOuterOneIsClipped) {
  process.range("forward", 10'000, 50'000);
  process.range("backward", 40'000, 80'000);
  EXPECT_EQ(at({39'000, 45'000, 60'000}), (Phases{Phase::kForward, Phase::kBackward, std::nullopt}));
}

TEST_F(PhaseTrackTest, MarksAndEmptyRangesAreIgnored) {
  process.mark("forward", 10);
  process.range("backward", 20, 20);
  EXPECT_EQ(at({10, 20}), (Phases{std::nullopt, std::nullopt}));
}

TEST_F(PhaseTrackTest, IsEmptyWithoutRanges) { EXPECT_EQ(at({0}), (Phases{std::nullopt})); }

TEST(RangeRules, ReadTheNamesOfFrameworks) {
  EXPECT_EQ(PhaseRules::shipped().phase_of_range("enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__"),
            Phase::kDataloadWait);
  EXPECT_EQ(PhaseRules::shipped().phase_of_range("Optimizer.step#AdamW.step"), Phase::kOptimStep);
  EXPECT_EQ(PhaseRules::shipped().phase_of_range("Optimizer.zero_grad#AdamW.zero_grad"), Phase::kZeroGradSched);
  EXPECT_EQ(PhaseRules::shipped().phase_of_range("autograd::engine::evaluate_function: AddmmBackward0"),
            Phase::kBackward);
  EXPECT_EQ(PhaseRules::shipped().phase_of_range("## copy_batch_to_gpu ##"), Phase::kHostToDevice);
  EXPECT_EQ(PhaseRules::shipped().phase_of_range("DistributedDataParallel.forward"), Phase::kForward);
  EXPECT_EQ(PhaseRules::shipped().phase_of_range("clip_grad_norm_"), Phase::kUnscaleClip);
  EXPECT_EQ(PhaseRules::shipped().phase_of_range("aten::mm"), std::nullopt);
}

}  // namespace
}  // namespace tauprof
