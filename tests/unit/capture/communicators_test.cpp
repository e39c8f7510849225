#include "capture/calls/communicators.h"

#include <gtest/gtest.h>

#include <memory>

using namespace tauprof::capture;

namespace {

namespace log = tauprof::log;

class CommunicatorsTest : public testing::Test {
 protected:
  const void* Handle(uintptr_t number) { return reinterpret_cast<const void*>(number << 12); }
  Communicator& Add(uintptr_t handle, int32_t size = 4, int32_t rank = 0) {
    return *table_->add(Handle(handle), {handle * 7, size, rank, 0, 0});
  }
  std::unique_ptr<Communicators> table_ = std::make_unique<Communicators>();
};

TEST_F(CommunicatorsTest, AreFoundByTheirHandles) {
  for (uintptr_t i = 1; i <= 1000; ++i) Add(i);
  for (uintptr_t i = 1; i <= 1000; ++i) EXPECT_EQ(table_->find(Handle(i))->identity, i * 7);
  EXPECT_EQ(table_->find(Handle(1001)), nullptr);
}

TEST_F(CommunicatorsTest, AHandleMayBeReused) {
  const uint32_t first = Add(1).number;
  table_->forget(Handle(1));
  EXPECT_EQ(table_->find(Handle(1)), nullptr);
  EXPECT_GT(Add(1).number, first);
  EXPECT_NE(table_->find(Handle(1)), nullptr);
}

TEST_F(CommunicatorsTest, AnAllToAllOfMessagesCountsOnce) {
  Communicator& communicator = Add(1);
  EXPECT_EQ(communicator.advance(), 1u);
  const uint64_t group = table_->new_group();
  for (int peer = 0; peer < 3; ++peer)
    for (const bool is_send : {true, false}) {
      EXPECT_EQ(communicator.next_sequence(), 2u);
      table_->count(communicator, is_send ? log::Operation::kSend : log::Operation::kReceive, group);
    }
  table_->end_group(group);
  EXPECT_EQ(communicator.next_sequence(), 3u);
}

TEST_F(CommunicatorsTest, OtherMessagesDoNotCount) {
  Communicator& communicator = Add(1);
  const uint64_t group = table_->new_group();
  table_->count(communicator, log::Operation::kSend, group);
  table_->count(communicator, log::Operation::kReceive, group);
  table_->end_group(group);
  EXPECT_EQ(communicator.next_sequence(), 1u);
}

TEST_F(CommunicatorsTest, TheLargestGivesTheRank) {
  EXPECT_EQ(table_->largest(), nullptr);
  Add(1, 2, 1);
  Add(2, 8, 5);
  Add(3, 4, 3);
  EXPECT_EQ(table_->largest()->rank, 5);
}

TEST(IdentityTest, DependsOnEveryByteAndIsNeverZero) {
  char bytes[128] = {};
  const uint64_t before = identity_of(bytes, sizeof bytes, 0);
  bytes[127] = 1;
  EXPECT_NE(identity_of(bytes, sizeof bytes, 0), before);
  EXPECT_NE(identity_of(bytes, sizeof bytes, 1), identity_of(bytes, sizeof bytes, 0));
  EXPECT_NE(before, 0u);
}

}  // namespace
