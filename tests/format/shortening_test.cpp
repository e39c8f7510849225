// A log that is shortened keeps its newest records, all names and all state, and can be continued.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include "format/decoded_log.h"
#include "format/sample_log.h"
#include "format/scratch_file.h"
#include "log/writer.h"

namespace tauprof {
namespace {

using log::RecordKind;

class ShorteningTest : public testing::Test {
 protected:
  ShorteningTest() { writer_.open(file_.vacate().c_str(), sample_header()); }
  int64_t Intern(const std::string& text) { return writer_.intern(text.data(), text.size()); }
  // Writes a mark with its own text, in blocks of their own.
  void WriteMark(int64_t time) {
    log::Mark mark{};
    mark.time = time;
    mark.name = Intern("mark " + std::to_string(time));
    writer_.append(mark);
    ASSERT_TRUE(writer_.flush());
  }
  std::vector<int64_t> TimesOfMarks(const DecodedLog& log) {
    std::vector<int64_t> times;
    for (const DecodedRow& row : log.rows_of(RecordKind::kMark)) times.push_back(row.values[4]);
    return times;
  }
  uint64_t BytesOnDisk() {
    struct stat status;
    return stat(file_.path().c_str(), &status) == 0 ? static_cast<uint64_t>(status.st_size) : 0;
  }

  ScratchFile file_;
  log::Writer writer_;
};

TEST_F(ShorteningTest, KeepsWhatCameAfterTheOffset) {
  writer_.append(log::Process{3, 8, 1, 2});
  for (int64_t time = 1; time <= 5; ++time) WriteMark(time);
  const uint64_t offset = writer_.bytes_written();
  for (int64_t time = 6; time <= 8; ++time) WriteMark(time);
  ASSERT_TRUE(writer_.drop_before(offset));
  EXPECT_EQ(BytesOnDisk(), writer_.bytes_written());
  WriteMark(9);
  ASSERT_TRUE(writer_.close(99, "closed"));

  const DecodedLog log = decode_log(file_.path());
  EXPECT_TRUE(log.loss.regions.empty());
  EXPECT_EQ(log.loss.lost_records, 0u);
  EXPECT_FALSE(log.loss.is_cut_short);
  EXPECT_EQ(TimesOfMarks(log), (std::vector<int64_t>{6, 7, 8, 9}));
  ASSERT_FALSE(log.blocks.empty());
  EXPECT_TRUE(log.blocks.front().is_recap);
  EXPECT_EQ(log.blocks.front().rows.front().text, "mark 1");
}

TEST_F(ShorteningTest, CanBeRepeated) {
  uint64_t offset = 0;
  for (int64_t time = 1; time <= 50; ++time) {
    if (time % 10 == 0) {
      const uint64_t before = writer_.bytes_written();
      ASSERT_TRUE(writer_.drop_before(offset != 0 ? offset : before));
    }
    offset = writer_.bytes_written();
    WriteMark(time);
  }
  ASSERT_TRUE(writer_.close(99, "closed"));
  const DecodedLog log = decode_log(file_.path());
  EXPECT_EQ(log.loss.lost_records, 0u);
  EXPECT_EQ(TimesOfMarks(log), (std::vector<int64_t>{49, 50}));
}

TEST_F(ShorteningTest, WithoutANewFileTheOldOneIsContinued) {
  WriteMark(1);
  rlimit descriptors;
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &descriptors), 0);
  const rlimit none{0, descriptors.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &none), 0);
  EXPECT_FALSE(writer_.drop_before(writer_.bytes_written()));
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &descriptors), 0);
  WriteMark(2);
  ASSERT_TRUE(writer_.close(99, "closed"));
  EXPECT_EQ(TimesOfMarks(decode_log(file_.path())), (std::vector<int64_t>{1, 2}));
}

}  // namespace
}  // namespace tauprof
