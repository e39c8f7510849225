// Where the bytes of an input come from, and where they end.
#include "import/byte_source.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>

#include "import/imported_log.h"

namespace tauprof::kineto {
namespace {

std::string read_all(ByteSource& source) {
  std::string text;
  char buffer[7];
  while (const size_t got = source.read(buffer, sizeof buffer)) text.append(buffer, got);
  return text;
}

TEST(ByteSourceTest, AFileThatGrowsIsAsLongAsWhenItWasOpened) {
  ScratchDirectory directory;
  const std::string path = directory.write("growing.json", "what was there");
  std::unique_ptr<ByteSource> source;
  ASSERT_TRUE(ByteSource::open(path, source).is_ok());
  std::ofstream(path, std::ios::app) << ", and what came later";
  EXPECT_EQ(read_all(*source), "what was there");
  EXPECT_TRUE(source->status().is_ok());
}

TEST(ByteSourceTest, AFileThatShrinksEndsWhereItEnds) {
  ScratchDirectory directory;
  const std::string path = directory.write("shrinking.json", "what was there, and what is gone");
  std::unique_ptr<ByteSource> source;
  ASSERT_TRUE(ByteSource::open(path, source).is_ok());
  std::ofstream(path, std::ios::trunc) << "what was there";
  EXPECT_EQ(read_all(*source), "what was there");
}

TEST(ByteSourceTest, APipeIsRefusedAtOnce) {
  ScratchDirectory directory;
  const std::string path = directory.write("pipe", "");
  ASSERT_EQ(remove(path.c_str()), 0);
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  std::unique_ptr<ByteSource> source;
  EXPECT_EQ(ByteSource::open(path, source).message(), "not a regular file");
}

}  // namespace
}  // namespace tauprof::kineto
