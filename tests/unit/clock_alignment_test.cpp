// Aligning the ranks' clocks by what collectives prove.
#include <gtest/gtest.h>

#include "align/align_clocks.h"
#include "align/clock_closure.h"

namespace tauprof {
namespace {

// Ranks with separate clocks, and the times they recorded.
class Clocks {
 public:
  explicit Clocks(int ranks) : ranks_(ranks) {}

  // Start and end by rank, each on that rank's clock.
  void meet(const std::vector<Interval>& members, Ends ends = Ends::kCommon) {
    evidence_.events.push_back({0, static_cast<uint32_t>(evidence_.witnesses.size()), ends});
    for (uint32_t rank = 0; rank < members.size(); ++rank)
      evidence_.witnesses.push_back({rank, members[rank].start, members[rank].end, true, true});
  }
  void send(uint32_t from, Interval sender, uint32_t to, Interval receiver) {
    evidence_.events.push_back({0, static_cast<uint32_t>(evidence_.witnesses.size()), Ends::kApart});
    evidence_.witnesses.push_back({from, sender.start, sender.end, true, false});
    evidence_.witnesses.push_back({to, receiver.start, receiver.end, false, true});
  }
  std::vector<RankTimeline>& ranks() { return ranks_; }
  ClockAlignment align() { return align_clocks(ranks_, evidence_); }
  const ClockSegment& of(int rank) const { return ranks_[rank].run_clock.segments().front(); }

 private:
  std::vector<RankTimeline> ranks_;
  ClockEvidence evidence_;
};

TEST(LineSet, ShrinksWithEachInequality) {
  LineSet set(100, -1000, 1000);
  EXPECT_TRUE(set.keep_below(0, 10));  // half-way
  EXPECT_TRUE(set.keep_above(-1, 0));
  EXPECT_DOUBLE_EQ(set.highest(-1), 100);
  EXPECT_DOUBLE_EQ(set.highest(1), 20);
  EXPECT_DOUBLE_EQ(set.lowest(-1), 0);
  EXPECT_FALSE(set.keep_below(-1, -1)) << "no line would remain";
  EXPECT_DOUBLE_EQ(set.highest(1), 20);
}

TEST(LineSet, IsNoSteeperThanAllowed) {
  const LineSet set(100, -5, 10);
  LineSet pinned = set;
  pinned.keep_above(-1, 30);
  pinned.keep_below(-1, 30);
  EXPECT_NEAR(pinned.lowest(1), 25, 1e-9);
  EXPECT_NEAR(pinned.highest(1), 40, 1e-9);
}

TEST(AlignClocks, MatchesTheHeadersExample) {
  Clocks clocks(2);
  clocks.meet({{100, 160}, {1120, 1158}});
  clocks.meet({{200, 220}, {1190, 1225}});
  clocks.align();
  ASSERT_TRUE(clocks.of(1).limits);
  EXPECT_NEAR(static_cast<double>(clocks.of(1).limits->shift), -997.5, 2.5);
  EXPECT_NEAR(static_cast<double>(clocks.of(1).limits->bound), 27.5, 4) << "plus rounding";
}

// Rank 1 receives more, so it ends later.
TEST(AlignClocks, UnequalPartsHaveNoCommonEnd) {
  for (const Ends ends : {Ends::kApart, Ends::kNotKnown, Ends::kCommon}) {
    Clocks clocks(2);
    for (int i = 0; i < 10; ++i)
      clocks.meet({{i * 1'000'000, i * 1'000'000 + 300'000}, {i * 1'000'000 + 5'000, i * 1'000'000 + 430'000}}, ends);
    clocks.align();
    const Nanoseconds moved = clocks.of(1).shift;
    EXPECT_EQ(moved, ends == Ends::kCommon ? -130'000 : 0);
    ASSERT_TRUE(clocks.of(1).limits) << "they prove that none ended before all had come";
  }
}

// Rank 1's clock is 3 ms ahead, and its part grows from one exchange to the next.
TEST(AlignClocks, WhereOnlyUnequalPartsJoinClocksTheMiddleIsUsed) {
  for (const Ends ends : {Ends::kApart, Ends::kCommon}) {
    Clocks clocks(2);
    for (int i = 0; i < 20; ++i)
      clocks.meet(
          {{i * 1'000'000, i * 1'000'000 + 300'000}, {i * 1'000'000 + 3'005'000, i * 1'000'000 + 3'300'000 + i * 150}},
          ends);
    clocks.align();
    ASSERT_TRUE(clocks.of(1).limits);
    EXPECT_EQ(clocks.of(1).shift == clocks.of(1).limits->shift, ends == Ends::kApart);
    EXPECT_EQ(clocks.of(1).drift == clocks.of(1).limits->drift, ends == Ends::kApart);
  }
}

TEST(AlignClocks, OneHostAndBootHaveOneClockWhateverEndsSay) {
  for (const char* const host : {"node0", "node1", ""}) {
    Clocks clocks(2);
    for (RankTimeline& rank : clocks.ranks()) {
      rank.boot_id[0] = 1;
      rank.clock = log::Clock::kMonotonic;
      rank.host = host;
    }
    if (*host != '\0') clocks.ranks()[0].host = "node0";
    clocks.meet({{0, 300'000}, {5'000, 430'000}}, Ends::kApart);
    clocks.align();
    const bool is_one = host == std::string_view("node0");
    EXPECT_EQ(clocks.ranks()[1].clock_basis == ClockBasis::kShared, is_one) << host;
    EXPECT_EQ(clocks.of(1).shift, 0);
  }
}

TEST(AlignClocks, KeepsARecordThatNothingContradicts) {
  Clocks clocks(2);
  for (RankTimeline& rank : clocks.ranks()) rank.has_realtime = true;
  clocks.ranks()[1].realtime_offset_ns = -980;
  clocks.meet({{100, 160}, {1120, 1158}});
  clocks.meet({{200, 220}, {1190, 1225}});
  clocks.align();
  EXPECT_EQ(clocks.ranks()[1].clock_basis, ClockBasis::kWallClock);
  EXPECT_EQ(clocks.of(1).shift, -980);
  EXPECT_NEAR(static_cast<double>(clocks.of(1).uncertainty), 45, 3) << "to the far limit";
}

TEST(AlignClocks, RelatesTwoClocksThroughAThird) {
  Clocks clocks(3);
  clocks.meet({{100, 200}, {5100, 5200}});
  clocks.send(1, {5300, 5400}, 2, {9200, 9310});  // rank 2 ends after rank 1 has started
  clocks.send(2, {9400, 9450}, 1, {5380, 5460});  // and vice versa
  clocks.align();
  ASSERT_TRUE(clocks.of(2).limits);
  // Rank 1 is ahead by 4900 to 5100. Rank 2 is ahead of it by 3940 to 4010.
  EXPECT_NEAR(static_cast<double>(clocks.of(2).limits->bound), 100 + 35, 6);
}

TEST(AlignClocks, GivesNoBoundWhenMessagesGoOneWay) {
  Clocks clocks(2);
  clocks.send(0, {100, 200}, 1, {900, 1000});
  clocks.align();
  EXPECT_FALSE(clocks.of(1).limits);
}

TEST(AlignClocks, DropsWhatContradictsTheOthers) {
  Clocks clocks(2);
  for (int i = 0; i < 20; ++i) {
    const Nanoseconds begin = 1'000'000 * i, error = i == 7 ? 400'000 : 0;
    clocks.meet({{begin, begin + 5000}, {begin + 70'000 + error, begin + 75'000 + error}});
  }
  EXPECT_EQ(clocks.align().dropped, 1u);
  ASSERT_TRUE(clocks.of(1).limits);
  EXPECT_LE(std::abs(clocks.of(1).limits->shift + 70'000), clocks.of(1).limits->bound);
}

TEST(AlignClocks, IgnoresCommunicatorsThatDoNotEndTogether) {
  Clocks clocks(2);
  for (int i = 0; i < 20; ++i) clocks.meet({{1'000'000 * i, 1'000'000 * i + 5000}, {777'000 * i, 777'000 * i + 5000}});
  clocks.align();
  EXPECT_EQ(clocks.ranks()[1].clock_basis, ClockBasis::kAssumed);
  EXPECT_FALSE(clocks.of(1).limits);
}

TEST(ClockMap, FollowsItsSegments) {
  ClockSegment early, late;
  early.time = {0, 1'000'000};
  early.shift = 10;
  early.drift = 1e-4;
  late.time = {2'000'000, 3'000'000};
  late.shift = 500;
  const ClockMap map(std::vector<ClockSegment>{early, late});
  EXPECT_EQ(map.to_run(0), 10);
  EXPECT_EQ(map.to_run(1'000'000), 1'000'110);
  EXPECT_EQ(map.to_run(2'000'000), 2'000'500);
}

}  // namespace
}  // namespace tauprof
