#include "html/span_merge.h"

#include <gtest/gtest.h>

namespace tauprof {
namespace {

ShownSpan span(Nanoseconds start, Nanoseconds duration, ShownKind kind = ShownKind::kCompute) {
  return {start, duration, 7, 1, kind};
}

using Rows = std::vector<std::vector<ShownSpan>>;

TEST(SpanMerge, LeavesFewSpansAsTheyAre) {
  Rows rows{{span(0, 10), span(10, 10)}, {span(5, 1)}};
  const SpanMerge merge = merge_short_spans(rows, 3);
  EXPECT_EQ(merge.merged, 0u);
  EXPECT_EQ(merge.below, 0);
  EXPECT_EQ(rows[0][0].name, 7u);
  EXPECT_EQ(rows[1].size(), 1u);
}

TEST(SpanMerge, MergesShortSpansAndKeepsLongOnes) {
  Rows rows{{span(0, 100), span(150, 100), span(1000, 5000), span(6000, 100), span(6100, 50)}};
  const SpanMerge merge = merge_short_spans(rows, 3);
  EXPECT_EQ(merge.merged, 2u);
  EXPECT_EQ(merge.below, 256);
  ASSERT_EQ(rows[0].size(), 3u);
  EXPECT_EQ(rows[0][0].start, 0);
  EXPECT_EQ(rows[0][0].duration, 250);
  EXPECT_EQ(rows[0][0].count, 2u);
  EXPECT_EQ(rows[0][0].name, kNoShownName);
  EXPECT_EQ(rows[0][1].duration, 5000);
  EXPECT_EQ(rows[0][1].name, 7u);
  EXPECT_EQ(rows[0][2].count, 2u);
}

TEST(SpanMerge, MergesNothingAcrossALongPause) {
  Rows rows{{span(0, 10), span(20, 10), span(900, 10), span(920, 10)}};
  merge_short_spans(rows, 2);
  ASSERT_EQ(rows[0].size(), 2u);
  EXPECT_EQ(rows[0][0].duration, 30);
  EXPECT_EQ(rows[0][1].start, 900);
}

TEST(SpanMerge, TakesTheShortestLengthThatIsEnough) {
  Rows rows{{span(0, 300), span(300, 300), span(600, 3000), span(3600, 3000)}};
  EXPECT_EQ(merge_short_spans(rows, 3).below, 512);
  EXPECT_EQ(rows[0].size(), 3u);
}

TEST(SpanMerge, SeveralSpansHaveTheKindThatLastsLongest) {
  Rows rows{{span(0, 50, ShownKind::kCopy), span(50, 100, ShownKind::kComm), span(150, 40, ShownKind::kCopy)}};
  merge_short_spans(rows, 1);
  ASSERT_EQ(rows[0].size(), 1u);
  EXPECT_EQ(rows[0][0].kind, ShownKind::kComm);
  EXPECT_EQ(rows[0][0].count, 3u);
}

TEST(SpanMerge, EndsWhereARowCannotBecomeFewer) {
  Rows rows{{span(0, 10)}, {span(0, 10)}, {span(0, 10)}};
  EXPECT_EQ(merge_short_spans(rows, 2).merged, 0u);
  EXPECT_EQ(rows.size(), 3u);
}

}  // namespace
}  // namespace tauprof
