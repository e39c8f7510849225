#include "simgpu/engine/handle_table.h"

#include <gtest/gtest.h>

namespace simgpu {
namespace {

constexpr std::uintptr_t kBase = 0x1000;

TEST(HandleTableTest, FindsWhatWasInserted) {
  HandleTable<int> table(kBase);
  void* const one = table.insert<void*>(std::make_shared<int>(1));
  void* const two = table.insert<void*>(std::make_shared<int>(2));
  EXPECT_EQ(*table.find(one), 1);
  EXPECT_EQ(*table.find(two), 2);
  EXPECT_EQ(table.all().size(), 2u);
}

TEST(HandleTableTest, KnowsNoForeignHandle) {
  HandleTable<int> table(kBase);
  table.insert<void*>(std::make_shared<int>(1));
  int foreign = 0;
  EXPECT_EQ(table.find(nullptr), nullptr);
  EXPECT_EQ(table.find(&foreign), nullptr);
}

TEST(HandleTableTest, ARemovedHandleIsGone) {
  HandleTable<int> table(kBase);
  void* const one = table.insert<void*>(std::make_shared<int>(1));
  EXPECT_EQ(*table.remove(one), 1);
  EXPECT_EQ(table.find(one), nullptr);
  EXPECT_EQ(table.remove(one), nullptr);
}

TEST(HandleTableTest, TheNextObjectGetsTheNumberOfTheDestroyedOne) {
  HandleTable<int> table(kBase);
  void* const one = table.insert<void*>(std::make_shared<int>(1));
  table.remove(one);
  EXPECT_EQ(table.insert<void*>(std::make_shared<int>(2)), one);
  EXPECT_EQ(*table.find(one), 2);
}

}  // namespace
}  // namespace simgpu
