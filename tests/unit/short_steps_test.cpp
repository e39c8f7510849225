#include <gtest/gtest.h>

#include "limits/analysis_limits.h"
#include "limits/timeline_limits.h"
#include "pipeline/timeline_parts.h"

namespace tauprof {
namespace {

// A step of one row whose spans last 10 ns each, 100 ns apart.
ShownStep step_of(int64_t number, size_t spans, const char* because) {
  ShownStep step;
  step.number = number;
  if (because != nullptr) step.because = {because};
  step.rows.resize(1);
  for (size_t i = 0; i < spans; ++i)
    step.rows[0].push_back({100 * static_cast<Nanoseconds>(i), 10, 3, 1, ShownKind::kCompute});
  step.length = 100 * static_cast<Nanoseconds>(spans);
  step.waits.resize(kMostWaitsInShort + 5);
  return step;
}

PageTimeline timeline_of(size_t spans_each) {
  PageTimeline timeline;
  timeline.ranks = {0};
  timeline.rows.resize(1);
  timeline.steps = {step_of(0, spans_each, nullptr), step_of(1, spans_each, "typical"),
                    step_of(2, spans_each, nullptr)};
  return timeline;
}

TEST(ShortSteps, APageThatHoldsAllStepsIsLeftAsItIs) {
  PageTimeline timeline = timeline_of(kMostShownSpans / 3);
  shorten_steps(timeline);
  EXPECT_TRUE(timeline.beside.empty());
  EXPECT_EQ(timeline.steps[0].unit, 1);
  EXPECT_EQ(timeline.steps[0].waits.size(), kMostWaitsInShort + 5);
}

TEST(ShortSteps, StepsWithoutAReasonAreInShortAndWholeBesideThePage) {
  constexpr size_t kSpans = kMostSpansInShort;
  PageTimeline timeline = timeline_of(kSpans);
  shorten_steps(timeline);
  ASSERT_EQ(timeline.beside.size(), 2u);
  EXPECT_EQ(timeline.beside[0].number, 0);
  EXPECT_EQ(timeline.beside[1].number, 2);
  EXPECT_EQ(timeline.beside[1].rows[0].size(), kSpans);
  EXPECT_EQ(timeline.beside[1].merged, 0u);
  EXPECT_EQ(timeline.steps[1].rows[0].size(), kSpans);
  EXPECT_FALSE(timeline.steps[1].is_short);
  const ShownStep& in_short = timeline.steps[2];
  EXPECT_TRUE(in_short.is_short);
  EXPECT_LE(in_short.rows[0].size(), kMostSpansInShort / 2);
  EXPECT_EQ(in_short.merged + in_short.rows[0].size(), kSpans);
  EXPECT_EQ(in_short.waits.size(), kMostWaitsInShort);
  EXPECT_EQ(in_short.waits_left_out, 5u);
}

TEST(ShortSteps, TimesOfAStepInShortAreFinerThanAScreen) {
  PageTimeline timeline = timeline_of(kMostSpansInShort);
  shorten_steps(timeline);
  const ShownStep& in_short = timeline.steps[0];
  EXPECT_GT(in_short.unit, 1);
  EXPECT_LE(in_short.length / in_short.unit, kPartsOfShortStep);
  EXPECT_GT(in_short.length / in_short.unit, kPartsOfShortStep / 4);
}

}  // namespace
}  // namespace tauprof
