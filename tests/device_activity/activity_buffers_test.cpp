#include "capture/device/activity_buffers.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace tauprof::capture {
namespace {

class ActivityBuffersTest : public testing::Test {
 protected:
  void SetUp() override { buffers_.init(memory_.data(), memory_.size()); }

  // The first byte of each completed buffer.
  std::vector<int> take() {
    std::vector<int> first, second;
    buffers_.take_completed(
        [&](uint8_t* bytes, size_t, bool is_first) { (is_first ? first : second).push_back(*bytes); });
    EXPECT_EQ(first, second);
    return first;
  }

  std::vector<uint8_t> memory_ = std::vector<uint8_t>(1 << 20);  // sixteen buffers of 64 KiB
  ActivityBuffers buffers_;
  size_t size_ = 0;
};

TEST_F(ActivityBuffersTest, ReturnsBuffersInTheOrderOfCompletion) {
  uint8_t* const one = buffers_.request(size_);
  uint8_t* const two = buffers_.request(size_);
  EXPECT_EQ(size_, size_t{1} << 16);
  *one = 1;
  *two = 2;
  buffers_.complete(two, 8);
  buffers_.complete(one, 8);
  EXPECT_EQ(take(), (std::vector{2, 1}));
  EXPECT_EQ(take(), std::vector<int>{});
}

TEST_F(ActivityBuffersTest, ReusesBuffersAfterRunningOut) {
  std::vector<uint8_t*> taken;
  while (uint8_t* buffer = buffers_.request(size_)) taken.push_back(buffer);
  EXPECT_EQ(taken.size(), 16u);
  EXPECT_EQ(size_, 0u);
  buffers_.complete(taken[3], 0);  // empty: nothing to read
  EXPECT_EQ(take(), std::vector<int>{});
  EXPECT_EQ(buffers_.request(size_), taken[3]);
  buffers_.complete(taken[5], 8);
  EXPECT_EQ(buffers_.request(size_), nullptr);
  EXPECT_EQ(take().size(), 1u);
  EXPECT_EQ(buffers_.request(size_), taken[5]);
}

TEST_F(ActivityBuffersTest, IgnoresForeignBuffers) {
  uint8_t foreign[64] = {};
  buffers_.complete(foreign, sizeof foreign);
  EXPECT_EQ(take(), std::vector<int>{});
}

TEST_F(ActivityBuffersTest, LosesNoBufferWithManyThreads) {
  constexpr int kThreads = 4, kRounds = 20000;
  int completed = 0, seen = 0, running = kThreads;
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i)
    threads.emplace_back([&] {
      for (int round = 0; round < kRounds; ++round) {
        size_t size;
        uint8_t* const buffer = buffers_.request(size);
        if (buffer == nullptr) continue;
        __atomic_add_fetch(&completed, 1, __ATOMIC_RELAXED);
        buffers_.complete(buffer, 8);
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
