#include "capture/rings/ring.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>
#include <utility>
#include <vector>

#include "capture/rings/ring_memory.h"

using namespace tauprof::capture;

namespace {

constexpr size_t kPoolBytes = 4 << 20;
constexpr uint64_t kSmall = RingMemory::kUnitsInPage, kLarge = RingMemory::kMostTaken * RingMemory::kUnitsInPage;

class RingTest : public testing::Test {
 protected:
  RingTest() {
    ring_memory = {};
    ring_memory.start(kPoolBytes);
  }
  // Leaves no memory to the ring but what it has.
  void TakeAllMemory() {
    while (ring_memory.take(1) != nullptr) {
    }
  }
  // Puts a record of `units` units, each of which carries its number. Records of one unit go where hooks put them.
  bool Put(uint64_t number, unsigned units = 1, DropKind kind = DropKind::kCall) {
    if (!ring_->reserve(units, kind, 10 * number, 10 * number + 5)) return false;
    Unit& first = units == 1 ? ring_->first_unit() : ring_->unit(0);
    first.header = {.start = number, .units = static_cast<uint8_t>(units)};
    for (unsigned i = 1; i < units; ++i) ring_->unit(i).rare.address = number;
    ring_->publish(units);
    return true;
  }
  std::vector<uint64_t> Drain() {
    std::vector<uint64_t> numbers;
    ring_->drain([&](const Unit* record) {
      if (record->header.function == kDroppedUnit)
        return dropped_times_.push_back({record->header.start, record->header.payload});
      numbers.push_back(record->header.start);
      for (unsigned i = 1; i < record->header.units; ++i) EXPECT_EQ(record[i].rare.address, record->header.start);
    });
    return numbers;
  }

  // A thread puts records and calls `after_put` with the number of each, while this one drains them in order and calls
  // `after_drain` after each time. What is not seen has been counted.
  template <typename AfterPut, typename AfterDrain>
  void ExpectNothingLostUncounted(uint64_t records, const AfterPut& after_put, const AfterDrain& after_drain) {
    bool is_over = false;
    std::thread producer([&] {
      for (uint64_t i = 1; i <= records; ++i) {
        Put(i, 1 + i % kMostUnits);
        after_put(i);
      }
      __atomic_store_n(&is_over, true, __ATOMIC_RELEASE);
    });
    uint64_t last = 0, seen = 0;
    for (bool was_over = false; !was_over;) {
      was_over = __atomic_load_n(&is_over, __ATOMIC_ACQUIRE);
      for (const uint64_t number : Drain()) {
        EXPECT_GT(number, last);
        last = number;
        ++seen;
      }
      after_drain();
    }
    producer.join();
    EXPECT_EQ(seen + ring_->take_drops(DropKind::kCall), records);
  }

  Ring own_ring_{};
  Ring* const ring_ = &own_ring_;
  std::vector<std::pair<uint64_t, uint64_t>> dropped_times_;
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
  ring_->init();
  TakeAllMemory();
  uint64_t kept = 0;
  while (Put(kept, 1, DropKind::kGemm)) ++kept;
  EXPECT_EQ(kept, kSmall);
  for (int i = 0; i < 6; ++i) EXPECT_FALSE(Put(0, 2, DropKind::kCollective));
  EXPECT_EQ(Drain().size(), kept);
  EXPECT_EQ(ring_->take_drops(DropKind::kGemm), 1u);
  EXPECT_EQ(ring_->take_drops(DropKind::kCollective), 6u);
  EXPECT_EQ(ring_->take_drops(DropKind::kCollective), 0u);
  EXPECT_TRUE(Put(1));
}

TEST_F(RingTest, CountsEveryRecordThatTwoThreadsLose) {
  ExpectNothingLostUncounted(
      200'000, [](uint64_t) {}, [] {});
}

// The dropped time takes the last unit, so the record behind it is the ring's first.
TEST_F(RingTest, StartsAgainBehindADroppedTime) {
  ring_->init();
  TakeAllMemory();
  uint64_t number = 1;
  ASSERT_TRUE(Put(number));
  while (Put(number + 1, 2)) ++number;
  Drain();
  ASSERT_TRUE(Put(1'000));
  EXPECT_EQ(Drain(), std::vector<uint64_t>{1'000});
  EXPECT_EQ(dropped_times_.size(), 1u);
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
  ring_->init();
  TakeAllMemory();
  uint64_t number = 0;
  while (Put(number)) ++number;
  ring_->announce(3, 1'000'000);
  EXPECT_FALSE(Put(number));
  Ring::AnnouncedCall call;
  EXPECT_FALSE(ring_->announced(call)) << "no record will ever say that it returned";
}

TEST_F(RingTest, TakesMoreMemoryThanAPageOnlyWhenItFillsUp) {
  for (uint64_t i = 0; i < 10'000; ++i) {
    ASSERT_TRUE(Put(i));
    if (i % 32 == 0) Drain();
  }
  uint32_t pages = 0;
  while (ring_memory.take(1) != nullptr) ++pages;
  EXPECT_EQ(pages, kPoolBytes / RingMemory::kPageBytes - 1);
}

TEST_F(RingTest, KeepsABurstInOrderWhileItMovesToMoreMemory) {
  const uint64_t burst = kLarge / 2;
  for (uint64_t i = 0; i < burst; ++i) ASSERT_TRUE(Put(i)) << i;
  const std::vector<uint64_t> seen = Drain();
  ASSERT_EQ(seen.size(), burst);
  for (uint64_t i = 0; i < burst; ++i) ASSERT_EQ(seen[i], i);
}

TEST_F(RingTest, ReturnsTheMemoryOfAQuietThread) {
  for (uint64_t i = 0; i < kLarge / 2; ++i) ASSERT_TRUE(Put(i));
  Drain();
  ring_->ask_back_if_quiet();  // was busy
  ASSERT_TRUE(Put(1));
  Drain();
  ring_->ask_back_if_quiet();
  for (uint64_t i = 0; i < kSmall / 2; ++i) ASSERT_TRUE(Put(i));
  EXPECT_EQ(Drain().size(), kSmall / 2);
  uint32_t pages = 0;
  while (ring_memory.take(1) != nullptr) ++pages;
  EXPECT_EQ(pages, kPoolBytes / RingMemory::kPageBytes - 1);
}

TEST_F(RingTest, ReturnsAllMemoryAtItsEnd) {
  for (int round = 0; round < 20; ++round) {
    for (uint64_t i = 0; i < kLarge / 4; ++i) ASSERT_TRUE(Put(i));
    Drain();
    ring_->clear();
  }
  uint32_t pages = 0;
  while (ring_memory.take(1) != nullptr) ++pages;
  EXPECT_EQ(pages, kPoolBytes / RingMemory::kPageBytes);
}

TEST_F(RingTest, CountsWhatAThreadWithoutMemoryLoses) {
  TakeAllMemory();
  ring_->init();
  for (int i = 0; i < 5; ++i) EXPECT_FALSE(Put(i));
  EXPECT_TRUE(Drain().empty());
  EXPECT_EQ(ring_->take_drops(DropKind::kCall), 5u);
}

TEST_F(RingTest, SaysBeforeTheNextRecordWhenCallsWereDropped) {
  ring_->init();
  TakeAllMemory();
  uint64_t number = 1;
  while (Put(number)) ++number;
  const uint64_t first = number;
  for (int i = 0; i < 3; ++i) EXPECT_FALSE(Put(++number));
  Drain();
  EXPECT_TRUE(dropped_times_.empty()) << "more calls may be dropped";
  EXPECT_TRUE(Put(++number, 3));
  EXPECT_TRUE(Put(++number));
  EXPECT_EQ(Drain(), (std::vector<uint64_t>{number - 1, number}));
  ASSERT_EQ(dropped_times_.size(), 1u);
  EXPECT_EQ(dropped_times_[0], std::make_pair(10 * first, 10 * (first + 3) + 5));
}

// Two threads, and memory that is sometimes there and sometimes not.
TEST_F(RingTest, LosesNothingUncountedWhileMemoryComesAndGoes) {
  const auto rest = [](uint64_t number) {
    if (number % 20'000 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  };
  std::vector<Unit*> held;
  ExpectNothingLostUncounted(500'000, rest, [&] {
    ring_->ask_back_if_quiet();
    if (Unit* page = ring_memory.take(1); page != nullptr) held.push_back(page);
    if (held.size() == 900) {
      for (Unit* page : held) ring_memory.give_back(page, 1);
      held.clear();
    }
  });
}

}  // namespace
