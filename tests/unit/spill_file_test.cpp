#include "model/spill_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <linux/magic.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

namespace tauprof {
namespace {

constexpr size_t kMegabyte = 1u << 20;
constexpr size_t kPart = 8 * kMegabyte;

// The build's folder: where temporary files go may be in memory.
bool open_here(SpillFile& file, size_t most_resident) { return file.open(".", most_resident); }

// Its thread never ends.
SpillFile& new_file() { return *new SpillFile; }

size_t resident_bytes_of_files() {
  std::ifstream facts("/proc/self/statm");
  size_t pages = 0;
  facts >> pages >> pages >> pages;
  return pages * static_cast<size_t>(sysconf(_SC_PAGESIZE));
}

TEST(SpillFile, KeepsWhatIsWritten) {
  SpillFile& file = new_file();
  ASSERT_TRUE(open_here(file, 2 * kMegabyte));
  std::vector<unsigned char*> parts;
  for (unsigned char i = 0; i < 12; ++i) {
    parts.push_back(static_cast<unsigned char*>(file.take(kPart)));
    ASSERT_NE(parts.back(), nullptr);
    std::fill_n(parts.back(), kPart, i);
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  for (unsigned char i = 0; i < parts.size(); ++i) {
    EXPECT_TRUE(std::all_of(parts[i], parts[i] + kPart, [i](unsigned char byte) { return byte == i; })) << int{i};
  }
}

TEST(SpillFile, TakesHolesFirst) {
  SpillFile& file = new_file();
  ASSERT_TRUE(open_here(file, kPart));
  auto* const first = static_cast<char*>(file.take(kPart));
  auto* const second = static_cast<char*>(file.take(kPart));
  auto* const third = static_cast<char*>(file.take(kPart));
  std::fill_n(first, kPart, 'a');
  std::fill_n(third, kPart, 'c');
  file.give(first, kPart);
  file.give(second, kPart);
  EXPECT_EQ(file.take(2 * kPart), first);
  EXPECT_EQ(third[0], 'c');
  EXPECT_EQ(third[kPart - 1], 'c');
}

TEST(SpillFile, LetsGoOfWhatIsResident) {
  SpillFile& file = new_file();
  const size_t before = resident_bytes_of_files();
  ASSERT_TRUE(open_here(file, before + 4 * kMegabyte));
  constexpr size_t kSize = 128 * kMegabyte;
  auto* const memory = static_cast<char*>(file.take(kSize));
  ASSERT_NE(memory, nullptr);
  std::fill_n(memory, kSize, 'x');
  for (int i = 0; i < 500 && resident_bytes_of_files() > before + 4 * kMegabyte; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_LE(resident_bytes_of_files(), before + 4 * kMegabyte);
  EXPECT_EQ(memory[kSize / 2], 'x');
}

TEST(SpillFile, IsNotInMemory) {
  struct statfs system = {};
  if (statfs("/dev/shm", &system) != 0 || system.f_type != TMPFS_MAGIC) GTEST_SKIP() << "/dev/shm is no tmpfs";
  EXPECT_FALSE(new_file().open("/dev/shm", kPart));
  EXPECT_FALSE(new_file().open("/proc", kPart));
}

}  // namespace
}  // namespace tauprof
