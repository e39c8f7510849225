#include "model/large_blocks.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdint>
#include <fstream>
#include <memory>
#include <random>
#include <utility>
#include <vector>

namespace {

constexpr size_t kMegabyte = 1u << 20;

size_t resident_megabytes() {
  size_t all = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> all >> resident;
  return resident * static_cast<size_t>(sysconf(_SC_PAGESIZE)) / kMegabyte;
}

// Written to from its first byte to its last.
struct Block {
  explicit Block(size_t megabytes, unsigned char value = 1) : bytes(megabytes * kMegabyte, value) {}
  bool holds(unsigned char value) const {
    for (const unsigned char byte : bytes)
      if (byte != value) return false;
    return true;
  }
  std::vector<unsigned char> bytes;
};

TEST(LargeBlocksTest, MemoryIsUsedAgainForOtherSizes) {
  std::vector<std::unique_ptr<Block>> blocks;
  const size_t before = resident_megabytes();
  for (int i = 0; i < 8; ++i) blocks.push_back(std::make_unique<Block>(32));
  blocks.clear();
  const size_t kept = resident_megabytes();
  EXPECT_GE(kept, before + 200);
  Block whole(200);  // in neighbouring pieces
  Block rest(50);
  EXPECT_LE(resident_megabytes(), kept + 8);
}

TEST(LargeBlocksTest, WhatIsKeptMakesNoRoomForMoreThanWasUsedOnce) {
  auto first = std::make_unique<Block>(150), second = std::make_unique<Block>(100),
       third = std::make_unique<Block>(150);
  const size_t most = resident_megabytes();
  first.reset();
  third.reset();
  Block larger(250);  // than either piece
  EXPECT_LE(resident_megabytes(), most + 8);
  EXPECT_TRUE(second->holds(1));
}

// Of many blocks of all sizes, some at a time.
bool blocks_keep_their_bytes() {
  std::mt19937 random(7);
  std::vector<std::pair<std::vector<unsigned char>, unsigned char>> blocks(20);
  for (int i = 0; i < 1000; ++i) {
    auto& [block, value] = blocks[random() % blocks.size()];
    for (const unsigned char byte : block)
      if (byte != value) return false;
    block = std::vector<unsigned char>();
    if (random() % 4 == 0) continue;
    value = static_cast<unsigned char>(i);
    block.assign(random() % (random() % 2 == 0 ? kMegabyte : 12 * kMegabyte), value);
  }
  return true;
}

TEST(LargeBlocksTest, BlocksKeepTheirBytes) { EXPECT_TRUE(blocks_keep_their_bytes()); }

TEST(LargeBlocksDeathTest, BlocksKeepTheirBytesWithinALimit) {
  const auto run = [] {
    tauprof::limit_large_blocks(45 * kMegabyte, ".");
    _exit(blocks_keep_their_bytes() ? 0 : 1);
  };
  EXPECT_EXIT(run(), testing::ExitedWithCode(0), "");
}

}  // namespace
