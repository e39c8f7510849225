// Whether members of rooted operations wait for others, by when they came and left.
#include "replay/member_waits.h"

#include <gtest/gtest.h>

namespace tauprof {
namespace {

constexpr Nanoseconds kMicro = 1000;

class MemberWaitsTest : public testing::Test {
 protected:
  MemberWaitsTest() : ranks_(3), waits_(ranks_, [this](const CollectiveMember& member) { return times_[member.rank]; }) {}

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

}  // namespace
}  // namespace tauprof
