#include "capture/rings/ring.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <thread>
#include <vector>

using namespace tauprof::capture;

namespace {

class RingTest : public testing::Test {
 protected:
  RingTest() { SetUpRing(4096 + 256 * sizeof(Unit)); }
  ~RingTest() override { munmap(ring_, bytes_); }

  void SetUpRing(size_t bytes) {
    if (ring_ != nullptr) munmap(ring_, bytes_);
    bytes_ = bytes;
    ring_ = static_cast<Ring*>(mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    ring_->init(bytes);
  }
  // Puts a record of `units` units, each of which carries its number.
  bool Put(uint64_t number, unsigned units = 1, DropKind kind = DropKind::kCall) {
    if (!ring_->reserve(units, kind)) return false;
    ring_->unit(0).header = {.start = number, .units = static_cast<uint8_t>(units)};
    for (unsigned i = 1; i < units; ++i) ring_->unit(i).rare.address = number;
    ring_->publish(units);
    return true;
  }
  std::vector<uint64_t> Drain() {
    std::vector<uint64_t> numbers;
    ring_->drain([&](const Unit* record) {
      numbers.push_back(record->header.start);
      for (unsigned i = 1; i < record->header.units; ++i) EXPECT_EQ(record[i].rare.address, record->header.start);
    });
    return numbers;
  }

  Ring* ring_ = nullptr;
  size_t bytes_ = 0;
};

TEST_F(RingTest, ReturnsRecordsInOrder) {
  for (uint64_t i = 0; i < 10; ++i) EXPECT_TRUE(Put(i, 1 + i % 3));
  EXPECT_EQ(Drain(), (std::vector<uint64_t>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}));
  EXPECT_TRUE(Drain().empty());
}

TEST_F(RingTest, WrapsAround) {
  for (uint64_t i = 0; i < 1000; ++i) {
    ASSERT_TRUE(Put(i, 1 + i % 3));
    ASSERT_EQ(Drain(), std::vector<uint64_t>{i});
  }
}

TEST_F(RingTest, CountsEveryRecordThatDoesNotFit) {
  uint64_t kept = 0;
  while (Put(kept, 1, DropKind::kGemm)) ++kept;
  for (int i = 0; i < 6; ++i) EXPECT_FALSE(Put(0, 2, DropKind::kCollective));
  EXPECT_EQ(Drain().size(), kept);
  EXPECT_EQ(ring_->take_drops(DropKind::kGemm), 1u);
  EXPECT_EQ(ring_->take_drops(DropKind::kCollective), 6u);
  EXPECT_EQ(ring_->take_drops(DropKind::kCollective), 0u);
  EXPECT_TRUE(Put(1));
}

TEST_F(RingTest, CountsEveryRecordThatTwoThreadsLose) {
  SetUpRing(4096 + 4096 * sizeof(Unit));
  constexpr uint64_t kRecords = 200'000;
  bool is_over = false;
  std::thread producer([&] {
    for (uint64_t i = 1; i <= kRecords; ++i) Put(i, 1 + i % 3);
    __atomic_store_n(&is_over, true, __ATOMIC_RELEASE);
  });
  uint64_t last = 0, seen = 0;
  for (bool was_over = false; !was_over;) {
    was_over = __atomic_load_n(&is_over, __ATOMIC_ACQUIRE);
    for (const uint64_t number : Drain()) {
      ASSERT_GT(number, last);
      last = number;
      ++seen;
    }
  }
  producer.join();
  EXPECT_EQ(seen + ring_->take_drops(DropKind::kCall), kRecords);
}

TEST_F(RingTest, RemembersTheLastAnnouncedCall) {
  Ring::AnnouncedCall call;
  EXPECT_FALSE(ring_->announced(call));
  ring_->announce(0, 5'000'000);
  ring_->announce(725, 9'999'999);
  ASSERT_TRUE(ring_->announced(call));
  EXPECT_EQ(call.function, 725);
  EXPECT_EQ(call.start, Ring::announced_start(9'999'999));
  EXPECT_LE(call.start, 9'999'999u);
  EXPECT_GT(call.start, 5'000'000u);
}

TEST_F(RingTest, ForgetsTheAnnouncementOfADroppedCall) {
  uint64_t number = 0;
  while (Put(number)) ++number;
  ring_->announce(3, 1'000'000);
  EXPECT_FALSE(Put(number));
  Ring::AnnouncedCall call;
  EXPECT_FALSE(ring_->announced(call)) << "no record will ever say that it returned";
}

}  // namespace
