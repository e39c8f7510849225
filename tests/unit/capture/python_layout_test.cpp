// Which interpreters' structures are known. tests/stacks checks the offsets of 3.8 to 3.13 on real interpreters; the
// table of 3.14 is built here from its header.
#include "capture/stacks/python_layout.h"

#include <gtest/gtest.h>
#include <string.h>

#include <array>

namespace tauprof::capture {
namespace {

using Words = std::array<uint64_t, kPublishedWords>;

// _PyRuntime of 3.14 starts with _Py_DebugOffsets: cookie, version, free_threaded; three words of the runtime
// state, sixteen of the interpreter; then the groups that stacks need, each starting with its structure's size.
Words published_by_3_14() {
  Words words{};
  memcpy(words.data(), "xdebugpy", 8);
  words[1] = 0x030e00f0;
  const uint64_t thread[] = {800, 0, 8, 16, 72, 152, 160, 208, 40};
  const uint64_t frame[] = {88, 8, 0, 56, 80, 74, 64, 0};
  const uint64_t code[] = {208, 112, 120, 128, 136, 68, 52, 96, 104, 208 - 8, 0};
  memcpy(&words[22], thread, sizeof thread);
  memcpy(&words[31], frame, sizeof frame);
  memcpy(&words[39], code, sizeof code);
  return words;
}

TEST(PythonLayout, IsReadFromWhatTheInterpreterPublishes) {
  const Words words = published_by_3_14();
  PythonLayout layout;
  ASSERT_TRUE(find_python_layout(0x030e00f0, words.data(), layout));
  EXPECT_EQ(layout.top, 72);
  EXPECT_EQ(layout.top_behind, -1);
  EXPECT_EQ(layout.thread_id, 152);
  EXPECT_EQ(layout.previous, 8);
  EXPECT_EQ(layout.code, 0);
  EXPECT_EQ(layout.instruction, 56);
  EXPECT_EQ(layout.owner, 74);
  EXPECT_EQ(layout.file, 112);
  EXPECT_EQ(layout.function, 128);
  EXPECT_EQ(layout.line_table, 136);
  EXPECT_EQ(layout.first_line, 68);
  EXPECT_EQ(layout.bytecode, 200);
  EXPECT_EQ(layout.format, LineTableFormat::kLocations);
}

TEST(PythonLayout, IsUnknownForFreeThreadedInterpreters) {
  Words words = published_by_3_14();
  words[2] = 1;
  PythonLayout layout;
  EXPECT_FALSE(find_python_layout(0x030e00f0, words.data(), layout));
}

TEST(PythonLayout, IsUnknownForOtherVersions) {
  Words words = published_by_3_14();
  PythonLayout layout;
  words[1] = 0x030f00f0;
  EXPECT_FALSE(find_python_layout(0x030f00f0, words.data(), layout)) << "3.15";
  EXPECT_FALSE(find_python_layout(0x030710f0, nullptr, layout)) << "3.7";
  EXPECT_FALSE(find_python_layout(0x02071200, nullptr, layout)) << "2.7";
}

TEST(PythonLayout, IsRejectedWhenThePublishedOffsetsAreImpossible) {
  const Words words = published_by_3_14();
  PythonLayout layout;
  EXPECT_FALSE(find_python_layout(0x030e00f0, nullptr, layout)) << "nothing published";
  Words damaged = words;
  damaged[0] ^= 1;
  EXPECT_FALSE(find_python_layout(0x030e00f0, damaged.data(), layout)) << "no cookie";
  damaged = words;
  damaged[1] = 0x030d00f0;
  EXPECT_FALSE(find_python_layout(0x030e00f0, damaged.data(), layout)) << "another version's";
  damaged = words;
  damaged[31 + 1] = 88;
  EXPECT_FALSE(find_python_layout(0x030e00f0, damaged.data(), layout)) << "a member outside its structure";
}

TEST(PythonLayout, OfOlderVersionsComesFromATable) {
  PythonLayout layout;
  for (const uint32_t minor : {8u, 9u, 10u, 11u, 12u})
    EXPECT_TRUE(find_python_layout(3u << 24 | minor << 16, nullptr, layout)) << minor;
  ASSERT_TRUE(find_python_layout(0x030b02f0, nullptr, layout));
  EXPECT_EQ(layout.top_behind, 8);
  EXPECT_EQ(layout.bytecode, 184);
}

}  // namespace
}  // namespace tauprof::capture
