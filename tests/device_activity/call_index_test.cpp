#include "capture/device/call_index.h"

#include <gtest/gtest.h>

#include <vector>

namespace tauprof::capture {
namespace {

using Answer = CallIndex::Answer;

class CallIndexTest : public testing::Test {
 protected:
  void init(size_t kilobytes) {
    memory_.assign(kilobytes * 128, 0);
    index_.init(memory_.data(), kilobytes * 1024);
  }
  void call(uint32_t thread, uint64_t number, uint64_t start, uint64_t end) {
    index_.add({number, start, end, thread, 0});
  }
  Answer find(uint32_t thread, uint64_t time) {
    number_ = 0;
    return index_.find(thread, time, number_);
  }
  // The number of the call at `time`; 0: none.
  uint64_t found(uint32_t thread, uint64_t time) {
    const Answer answer = find(thread, time);
    EXPECT_NE(answer, Answer::kNotYet);
    return answer == Answer::kFound ? number_ : 0;
  }

  std::vector<uint64_t> memory_;
  CallIndex index_;
  uint64_t number_ = 0;
};

TEST_F(CallIndexTest, FindsTheCallAroundATime) {
  init(256);
  call(7, 1, 100, 200);
  call(7, 2, 300, 400);
  EXPECT_EQ(found(7, 150), 1u);
  EXPECT_EQ(found(7, 100), 1u);
  EXPECT_EQ(found(7, 200), 1u);
  EXPECT_EQ(found(7, 250), 0u);
  EXPECT_EQ(found(7, 50), 0u);
  EXPECT_EQ(found(7, 300), 2u);
}

TEST_F(CallIndexTest, WaitsForACallThatHasNotBeenAdded) {
  init(256);
  EXPECT_EQ(find(7, 150), Answer::kNotYet);
  call(7, 1, 100, 200);
  EXPECT_EQ(find(7, 500), Answer::kNotYet);
  call(7, 2, 450, 600);
  EXPECT_EQ(found(7, 500), 2u);
}

TEST_F(CallIndexTest, KeepsThreadsApart) {
  init(256);
  call(7, 1, 100, 200);
  call(8, 2, 120, 180);
  EXPECT_EQ(found(7, 150), 1u);
  EXPECT_EQ(found(8, 150), 2u);
  EXPECT_EQ(find(9, 150), Answer::kNotYet);
}

TEST_F(CallIndexTest, SearchesInAnyOrder) {
  init(1024);
  constexpr uint64_t kCalls = 20000;
  for (uint64_t i = 0; i < kCalls; ++i) call(static_cast<uint32_t>(i % 3), i + 1, i * 100, i * 100 + 50);
  for (uint64_t i : {kCalls - 4, uint64_t{5}, uint64_t{10000}, uint64_t{9000}, kCalls - 10, uint64_t{0}}) {
    EXPECT_EQ(found(static_cast<uint32_t>(i % 3), i * 100 + 25), i + 1);
    EXPECT_EQ(found(static_cast<uint32_t>(i % 3), i * 100 + 75), 0u);
  }
}

TEST_F(CallIndexTest, ForgetsTheOldestCallsFirst) {
  init(128);  // some 24 chunks beside the threads
  call(1, 1, 0, 50);
  for (uint64_t i = 1; i < 20000; ++i) call(2, i + 1, i * 100, i * 100 + 50);
  EXPECT_EQ(find(1, 25), Answer::kForgotten);
  EXPECT_EQ(find(1, 75), Answer::kNotYet);
  EXPECT_EQ(find(2, 125), Answer::kForgotten);  // a call that was, as the recorder once knew
  EXPECT_EQ(find(2, 175), Answer::kForgotten);  // not one, as it knew, too
  EXPECT_EQ(found(2, 1999925), 20000u);
  EXPECT_EQ(found(2, 1900025), 19001u);
  call(1, 30000, 2000000, 2000050);
  EXPECT_EQ(found(1, 2000025), 30000u);
}

TEST_F(CallIndexTest, DoesNotDenyCallsThatWereDropped) {
  init(256);
  call(7, 1, 100, 200);
  call(7, kDroppedCall, 300, 800);
  call(7, 5, 900, 950);
  EXPECT_EQ(find(7, 250), Answer::kNone);
  EXPECT_EQ(find(7, 500), Answer::kForgotten);
  EXPECT_EQ(find(7, 850), Answer::kNone);
}

TEST_F(CallIndexTest, AnAnnouncementThatIsOfTheNewestCallMeansThatItHasReturned) {
  init(256);
  EXPECT_FALSE(index_.is_newest(7, 100'000));
  call(7, 1, 100'000, 200'000);
  EXPECT_TRUE(index_.is_newest(7, 99'600));
  EXPECT_TRUE(index_.is_newest(7, 100'030));  // both times have been converted
  EXPECT_FALSE(index_.is_newest(7, 199'900));
  EXPECT_FALSE(index_.is_newest(7, 300'000));  // under way
  EXPECT_FALSE(index_.is_newest(8, 99'600));
  call(7, kDroppedCall, 300'000, 800'000);
  EXPECT_FALSE(index_.is_newest(7, 300'000));
}

TEST_F(CallIndexTest, WithoutMemoryKnowsNothing) {
  memory_.assign(1 << 15, 0);
  index_.init(memory_.data(), 4096);
  call(1, 1, 0, 50);
  EXPECT_EQ(find(1, 25), Answer::kNotYet);
}

}  // namespace
}  // namespace tauprof::capture
