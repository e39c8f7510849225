// Memory that is mapped piece by piece and unmapped in one call.
#include "metrics/memory/memory_of_rank.h"

#include <gtest/gtest.h>

namespace tauprof {
namespace {

constexpr int64_t kPiece = 2 << 20;

class MemoryOfRankTest : public testing::Test {
 protected:
  void Take(int64_t place) { Add(log::MemoryAction::kAllocate, place, 1); }
  void GiveBack(int64_t place, int64_t pieces) { Add(log::MemoryAction::kFree, place, pieces); }
  void GiveBackWithoutSize(int64_t place) { Add(log::MemoryAction::kFree, place, 0); }
  RankMemory Memory() {
    trace_.memory = events_;
    return memory_of_rank(trace_, DeviceTrace(), {{.number = 0, .host = {0, 1000}}});
  }
  static int64_t InUse(const RankMemory& memory) {
    int64_t sum = 0;
    for (const int64_t bytes : memory.steps.at(0).in_use) sum += bytes;
    return sum;
  }

 protected:
  ProcessTrace trace_;

 private:
  void Add(log::MemoryAction action, int64_t place, int64_t pieces) {
    const auto time = static_cast<Nanoseconds>(events_.size() + 1);
    events_.push_back({time, (1 << 30) + place * kPiece, pieces * kPiece, 0, 0, action});
  }
  std::vector<MemoryEvent> events_;
};

TEST_F(MemoryOfRankTest, OneCallUnmapsAllPiecesInItsRange) {
  for (int64_t place = 0; place < 4; ++place) Take(place);
  GiveBack(1, 2);
  const RankMemory memory = Memory();
  EXPECT_EQ(memory.peak_bytes, 4 * kPiece);
  EXPECT_EQ(InUse(memory), 2 * kPiece);
  EXPECT_FALSE(memory.is_lower_bound);
}

TEST_F(MemoryOfRankTest, AFreeWithoutSizeGivesBackTheBlockAtItsAddress) {
  Take(0), Take(1);
  GiveBackWithoutSize(0);
  EXPECT_EQ(InUse(Memory()), kPiece);
}

TEST_F(MemoryOfRankTest, WhatWasNeverTakenMakesALowerBound) {
  Take(0);
  GiveBack(2, 1);
  const RankMemory memory = Memory();
  EXPECT_EQ(InUse(memory), kPiece);
  EXPECT_TRUE(memory.is_lower_bound);
}

TEST_F(MemoryOfRankTest, OnlyDroppedCallsMakeALowerBound) {
  Take(0);
  trace_.quality.dropped = {{"not finished", 2}};
  trace_.quality.dropped_device_work = 2;
  EXPECT_FALSE(Memory().is_lower_bound);
  trace_.quality.dropped["ring full"] = 1;
  EXPECT_TRUE(Memory().is_lower_bound);
}

}  // namespace
}  // namespace tauprof
