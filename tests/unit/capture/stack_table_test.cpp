#include "capture/stacks/stack_table.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <thread>
#include <vector>

#include "capture/base/number_map.h"
#include "capture/base/own_memory.h"
#include "capture/base/zeroed_memory.h"

namespace tauprof::capture {
namespace {

// In zeroed memory, like the recorder's.
StackTable& make_table() {
  auto* table = static_cast<StackTable*>(map_zeros(sizeof(StackTable)));
  EXPECT_TRUE(table->init());
  return *table;
}

TEST(StackTable, AStackIsFoundAgainByItsHash) {
  StackTable& table = make_table();
  const StackFrame frames[] = {python_frame(7, 40), python_frame(3, -2), 0x401234};
  EXPECT_EQ(table.find(99), 0u);
  const uint32_t number = table.add(99, frames, 3);
  EXPECT_EQ(number, 1u);
  EXPECT_EQ(table.find(99), number);
  EXPECT_EQ(table.add(99, frames, 3), number);
  const StackTable::Stack& stack = table.stack(number);
  ASSERT_EQ(stack.count, 3u);
  EXPECT_EQ(code_of(stack.frames[0]), 7u);
  EXPECT_EQ(instruction_of(stack.frames[1]), -2);
  EXPECT_EQ(stack.frames[2], 0x401234u);
}

TEST(StackTable, AStackThatDoesNotFitIsCountedOnce) {
  StackTable& table = make_table();
  const StackFrame frame = 0x401234;
  uint64_t added = 0;
  for (uint64_t i = 0; i < StackTable::kMost + 10; ++i) added += table.add(mix(i, 1), &frame, 1) != 0;
  EXPECT_EQ(added, StackTable::kMost - 1);
  EXPECT_EQ(table.take_refused(), 11u);
  EXPECT_EQ(table.take_refused(), 0u);
  EXPECT_NE(table.find(mix(0, 1)), 0u);
}

TEST(StackTable, ThreadsWithTheSameStacksAgreeOnTheirNumbers) {
  constexpr uint64_t kStacks = 5000;
  StackTable& table = make_table();
  std::vector<std::vector<uint32_t>> numbers(4);
  std::vector<std::thread> threads;
  for (auto& own : numbers)
    threads.emplace_back([&] {
      for (uint64_t i = 0; i < kStacks; ++i) {
        const StackFrame frame = i;
        const uint32_t known = table.find(mix(i, 2));
        own.push_back(known != 0 ? known : table.add(mix(i, 2), &frame, 1));
      }
    });
  for (std::thread& thread : threads) thread.join();
  for (uint64_t i = 0; i < kStacks; ++i) {
    for (const auto& own : numbers) EXPECT_EQ(own[i], numbers[0][i]);
    EXPECT_EQ(table.stack(numbers[0][i]).frames[0], i);
  }
}

TEST(NumberMap, NumbersCountUpAndNeverChange) {
  NumberMap map;
  bool is_new;
  for (uint64_t key = 0; key < 10'000; ++key) {
    EXPECT_EQ(map.number_of(key << 32, is_new), key + 1);
    EXPECT_TRUE(is_new);
  }
  for (uint64_t key = 0; key < 10'000; ++key) {
    EXPECT_EQ(map.number_of(key << 32, is_new), key + 1);
    EXPECT_FALSE(is_new);
  }
}

TEST(OwnMemory, ReadingUnmappedMemoryFailsWithoutACrash) {
  char* page = static_cast<char*>(map_zeros(8192));
  page[4095] = 'x';
  char read = 0;
  EXPECT_TRUE(read_own_memory(reinterpret_cast<uint64_t>(page + 4095), &read, 1));
  EXPECT_EQ(read, 'x');
  munmap(page + 4096, 4096);
  char two[2];
  EXPECT_FALSE(read_own_memory(reinterpret_cast<uint64_t>(page + 4095), two, 2));
  EXPECT_FALSE(read_own_memory(0, two, 2));
}

}  // namespace
}  // namespace tauprof::capture
