// Who waits for whom in rooted operations, by when members came and left.
#include "replay/member_waits.h"

#include <gtest/gtest.h>

#include "replay/found_roots.h"
#include "trace_builder.h"

namespace tauprof {
namespace {

class MemberWaitsTest : public testing::Test {
 protected:
  MemberWaitsTest()
      : ranks_(3), waits_(ranks_, [this](const CollectiveMember& member) { return times_[member.rank]; }) {}

  static MatchedCollective reduction(int64_t count = 1000) {
    MatchedCollective match;
    match.communicator = 7;
    match.has_identity = true;
    match.operation = log::Operation::kReduce;
    match.count = count;
    for (uint32_t rank = 0; rank < 3; ++rank) match.members.push_back({.rank = rank});
    return match;
  }
  void saw(const MatchedCollective& match, std::vector<Interval> times) {
    times_ = std::move(times);
    for (Interval& time : times_) time = {time.start * kMicro, time.end * kMicro};
    waits_.look_at(match);
  }

  std::vector<RankTimeline> ranks_;
  std::vector<Interval> times_;
  MemberWaits waits_;
};

class FoundRootsTest : public testing::Test {
 protected:
  FoundRootsTest() : ranks_(3), roots_(ranks_, [this](const CollectiveMember& member) { return times_[member.rank]; }) {
    for (RankTimeline& rank : ranks_) rank.collectives.resize(1);
  }
  // In a step of its own, and the first of its kind there.
  std::optional<uint32_t> root_after(log::Operation operation, std::vector<Interval> times) {
    MatchedCollective match;
    match.communicator = 7;
    match.operation = operation;
    for (uint32_t rank = 0; rank < 3; ++rank) {
      match.members.push_back({.rank = rank});
      ranks_[rank].collectives[0].step = static_cast<int32_t>(seen_);
    }
    times_ = std::move(times);
    for (Interval& time : times_) time = {time.start * kMicro, time.end * kMicro};
    roots_.look_at(seen_, match);
    return roots_.root_of(seen_++);
  }

  std::vector<RankTimeline> ranks_;
  std::vector<Interval> times_;
  size_t seen_ = 0;
  FoundRoots roots_;
};

TEST_F(FoundRootsTest, TheRootOfAReductionWaitsForAllOthers) {
  EXPECT_EQ(root_after(log::Operation::kReduce, {{0, 62}, {10, 22}, {50, 61}}), 0u);
}

TEST_F(FoundRootsTest, OfABroadcastItIsTheOneThatOthersWaitFor) {
  EXPECT_EQ(root_after(log::Operation::kBroadcast, {{0, 61}, {50, 60}, {100, 112}}), 1u);
}

TEST_F(FoundRootsTest, OneThatIsAlwaysLastIsToldByTheOthersLeavingEarly) {
  EXPECT_EQ(root_after(log::Operation::kReduce, {{0, 12}, {10, 22}, {500, 511}}), 2u);
}

TEST_F(FoundRootsTest, OtherStepsTellWhereOneDoesNot) {
  root_after(log::Operation::kReduce, {{0, 60}, {1, 61}, {2, 62}});
  EXPECT_EQ(root_after(log::Operation::kReduce, {{0, 12}, {10, 62}, {50, 61}}), 1u);
}

TEST_F(MemberWaitsTest, MembersThatLeaveTogetherBehindTheLastWaitForAll) {
  saw(reduction(), {{0, 61}, {10, 62}, {50, 63}});
  EXPECT_TRUE(waits_.wait_for_all(reduction()));
  EXPECT_FALSE(waits_.wait_for_all(reduction(8))) << "of another size";
}

TEST_F(MemberWaitsTest, OneThatLeftBeforeTheLastCameWaitsForNobody) {
  saw(reduction(), {{0, 61}, {10, 62}, {50, 63}});
  saw(reduction(), {{0, 12}, {10, 62}, {50, 63}});
  EXPECT_TRUE(waits_.leave_early(reduction()));
  EXPECT_FALSE(waits_.wait_for_all(reduction()));
}

TEST_F(MemberWaitsTest, MembersThatComeTogetherTellNothing) {
  saw(reduction(), {{0, 61}, {1, 62}, {2, 63}});
  EXPECT_FALSE(waits_.wait_for_all(reduction()));
  EXPECT_FALSE(waits_.leave_early(reduction()));
}

class VagueClocksTest : public MemberWaitsTest {
 protected:
  VagueClocksTest() {
    for (RankTimeline& rank : ranks_) {
      ClockSegment vague;
      vague.uncertainty = 3'000 * kMicro;
      rank.run_clock = ClockMap({vague});
    }
  }
};

TEST_F(VagueClocksTest, NoClockMakesMembersLeaveTogetherThatCameApart) {
  for (const Nanoseconds at : {0, 1'000, 2'000}) {
    EXPECT_FALSE(waits_.wait_for_all(reduction())) << "seen less than three times";
    saw(reduction(), {{at, at + 61}, {at + 10, at + 62}, {at + 50, at + 63}});
  }
  EXPECT_TRUE(waits_.wait_for_all(reduction()));
}

TEST_F(VagueClocksTest, MembersThatLeaveApartMayHaveVagueClocks) {
  for (const Nanoseconds at : {0, 1'000, 2'000})
    saw(reduction(), {{at, at + 12}, {at + 10, at + 62}, {at + 50, at + 63}});
  EXPECT_FALSE(waits_.wait_for_all(reduction()));
  EXPECT_FALSE(waits_.leave_early(reduction()));
}

}  // namespace
}  // namespace tauprof
