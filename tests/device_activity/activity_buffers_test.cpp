#include "capture/device/activity_buffers.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <thread>
#include <vector>

namespace tauprof::capture {
namespace {

constexpr uint64_t kMillisecond = 1'000'000;

class ActivityBuffersTest : public testing::Test {
 protected:
  void SetUp() override { buffers_.init(1 << 20, true); }  // fourteen buffers of 64 KiB, four for scratch

  // CUPTI asks for a buffer; long after the last time, unless told.
  uint8_t* request(uint64_t after = 1000 * kMillisecond) {
    now_ += after;
    return buffers_.request(size_, records_, now_);
  }
  void complete(uint8_t* bytes, size_t valid) { buffers_.complete(bytes, valid, now_, Forced::kNot); }

  // The first byte of each completed buffer.
  std::vector<int> take() {
    std::vector<int> first, second;
    buffers_.take_completed(
        [&](uint8_t* bytes, size_t, Forced, bool is_first) { (is_first ? first : second).push_back(*bytes); });
    EXPECT_EQ(first, second);
    return first;
  }

  ActivityBuffers buffers_;
  uint64_t now_ = 0;
  size_t size_ = 0, records_ = 0;
};

TEST_F(ActivityBuffersTest, ReturnsBuffersInTheOrderOfCompletion) {
  uint8_t* const one = request();
  uint8_t* const two = request();
  *one = 1;
  *two = 2;
  complete(two, 8);
  complete(one, 8);
  EXPECT_EQ(take(), (std::vector{2, 1}));
  EXPECT_EQ(take(), std::vector<int>{});
}

TEST_F(ActivityBuffersTest, AreBackOnceTheyHaveBeenRead) {
  EXPECT_TRUE(buffers_.are_back(buffers_.requests()));
  uint8_t* const one = request();
  uint8_t* const two = request();
  const uint64_t requests = buffers_.requests();
  uint8_t* const later = request();
  complete(one, 8);
  complete(later, 8);
  EXPECT_EQ(take().size(), 2u);
  EXPECT_FALSE(buffers_.are_back(requests)) << "the second is out";
  complete(two, 8);
  EXPECT_FALSE(buffers_.are_back(requests)) << "it has not been read";
  take();
  EXPECT_TRUE(buffers_.are_back(requests));
  request();
  EXPECT_TRUE(buffers_.are_back(requests)) << "later requests do not count";
}

TEST_F(ActivityBuffersTest, ScratchFollowsWithinTheMemory) {
  for (int i = 0; i < 14; ++i) EXPECT_FALSE(buffers_.is_scratch(request()));
  uint8_t* scratch = nullptr;
  for (int i = 0; i < 4; ++i) EXPECT_TRUE(buffers_.is_scratch(scratch = request()));
  EXPECT_EQ(request(), nullptr);
  EXPECT_EQ(size_, 0u);
  buffers_.give_back_scratch(scratch);
  EXPECT_EQ(request(), scratch);
}

TEST_F(ActivityBuffersTest, ReusesBuffersAfterRunningOut) {
  std::vector<uint8_t*> taken;
  while (uint8_t* buffer = request()) taken.push_back(buffer);
  EXPECT_EQ(taken.size(), 18u);
  EXPECT_EQ(size_, 0u);
  complete(taken[3], 0);  // empty: nothing to read
  EXPECT_EQ(take(), std::vector<int>{});
  EXPECT_EQ(request(), taken[3]);
  complete(taken[5], 8);
  EXPECT_EQ(request(), nullptr);
  EXPECT_EQ(take().size(), 1u);
  EXPECT_EQ(request(), taken[5]);
}

// A thread that asks for an event every second makes records, so CUPTI asks for buffers, while the device hangs.
TEST_F(ActivityBuffersTest, WaitUntilOneComesHoweverManyAreAskedFor) {
  uint8_t* const first = request();
  const uint64_t lent_at = now_;
  for (int i = 0; i < 9; ++i) request();
  EXPECT_EQ(buffers_.use().waits_since, lent_at);
  complete(first, 8);
  EXPECT_EQ(buffers_.use().waits_since, now_);
}

TEST_F(ActivityBuffersTest, WaitAnewAfterCuptiHadNone) {
  complete(request(), 8);
  take();
  request();
  EXPECT_EQ(buffers_.use().waits_since, now_);
}

TEST_F(ActivityBuffersTest, IgnoresForeignBuffers) {
  uint8_t foreign[64] = {};
  complete(foreign, sizeof foreign);
  complete(nullptr, 0);
  EXPECT_EQ(take(), std::vector<int>{});
}

TEST_F(ActivityBuffersTest, HoldsAsManyRecordsAsComeInAShortTime) {
  complete(request(), 0);
  EXPECT_EQ(records_, 2u);
  EXPECT_EQ(size_, 4096u);
  for (const size_t records : {4u, 8u, 16u, 32u, 64u, 128u, 0u}) {  // 0: as many as fit
    complete(request(kMillisecond), 0);
    EXPECT_EQ(records_, records);
  }
  EXPECT_EQ(size_, size_t{1} << 16);
  complete(request(50 * kMillisecond), 0);
  EXPECT_EQ(records_, 0u);
  complete(request(100 * kMillisecond), 0);
  EXPECT_EQ(records_, 128u);
}

TEST_F(ActivityBuffersTest, GrowsBeforeTheBuffersRunOut) {
  for (int i = 0; i < 7; ++i) request();
  EXPECT_EQ(records_, 2u);
  request();
  EXPECT_EQ(records_, 4u);
  for (int i = 0; i < 6; ++i) request();
  EXPECT_EQ(records_, 0u);
}

TEST_F(ActivityBuffersTest, NeverRefusesWhereThatCrashes) {
  ActivityBuffers buffers;
  buffers.init(1 << 20, false);
  int lasting = 0, scratch = 0;
  std::vector<uint8_t*> taken;
  for (int i = 0; i < 300; ++i) {
    taken.push_back(buffers.request(size_, records_, now_));
    ASSERT_NE(taken.back(), nullptr);
    ASSERT_GE(size_, 4096u);
    ++(buffers.is_scratch(taken.back()) ? scratch : lasting);
  }
  EXPECT_EQ(scratch, 256);
  EXPECT_EQ(lasting, 14 + 30);  // an eighth of the memory is kept for scratch; the last 30 are never used again
  buffers.give_back_scratch(taken[20]);
  EXPECT_EQ(buffers.request(size_, records_, now_), taken[20]);
  EXPECT_FALSE(buffers.is_scratch(taken[0]));
}

// Proton frees whatever buffer its callback gets.
TEST_F(ActivityBuffersTest, AnotherClientMayFreeABuffer) {
  std::vector<uint8_t*> taken;
  for (int i = 0; i < 8; ++i) taken.push_back(request());
  for (uint8_t* buffer : taken) free(buffer);
  int lent = 0;
  while (request() != nullptr) ++lent;
  EXPECT_EQ(lent, 10 + static_cast<int>(buffers_.freed_by_others()));
  EXPECT_LE(buffers_.use().lent, 14u);
}

TEST_F(ActivityBuffersTest, LosesNoBufferWithManyThreads) {
  constexpr int kThreads = 4, kRounds = 20000;
  int completed = 0, seen = 0, running = kThreads;
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i)
    threads.emplace_back([&] {
      for (int round = 0; round < kRounds; ++round) {
        size_t size, records;
        uint8_t* const buffer = buffers_.request(size, records, kMillisecond);
        if (buffer == nullptr) continue;
        if (buffers_.is_scratch(buffer)) {
          buffers_.give_back_scratch(buffer);
          continue;
        }
        __atomic_add_fetch(&completed, 1, __ATOMIC_RELAXED);
        buffers_.complete(buffer, 8, kMillisecond, Forced::kNot);
      }
      __atomic_sub_fetch(&running, 1, __ATOMIC_RELEASE);
    });
  while (__atomic_load_n(&running, __ATOMIC_ACQUIRE) > 0) seen += static_cast<int>(take().size());
  for (std::thread& thread : threads) thread.join();
  seen += static_cast<int>(take().size());
  EXPECT_EQ(seen, completed);
}

}  // namespace
}  // namespace tauprof::capture
