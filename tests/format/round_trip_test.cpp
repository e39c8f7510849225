// The reader returns what was written.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "format/decoded_log.h"
#include "format/log_forge.h"
#include "format/sample_log.h"
#include "format/scratch_file.h"
#include "log/writer.h"

namespace tauprof {
namespace {

using log::RecordKind;

class RoundTripTest : public testing::Test {
 protected:
  void Open() { ASSERT_TRUE(writer_.open(file_.vacate().c_str(), sample_header())); }
  void Close() { ASSERT_TRUE(writer_.close(99, "closed")); }
  int64_t Intern(const std::string& text) { return writer_.intern(text.data(), text.size()); }

  DecodedLog Read() {
    DecodedLog log = decode_log(file_.path());
    EXPECT_TRUE(log.status.is_ok()) << log.status.message();
    return log;
  }
  DecodedLog ReadClean() {
    DecodedLog log = Read();
    EXPECT_TRUE(log.loss.regions.empty());
    EXPECT_EQ(log.loss.lost_records, 0u);
    EXPECT_FALSE(log.loss.is_cut_short);
    return log;
  }

  ScratchFile file_;
  log::Writer writer_;
};

TEST_F(RoundTripTest, EveryKindKeepsEveryValue) {
  write_sample_log(file_.vacate(), Flushes::kOnce);
  const DecodedLog log = ReadClean();
  EXPECT_EQ(log.rows(), sample_rows());
}

TEST_F(RoundTripTest, FlushingOftenChangesOnlyTheOrder) {
  write_sample_log(file_.vacate(), Flushes::kEachRow);
  const DecodedLog log = ReadClean();
  DecodedLog expected;
  expected.blocks.push_back({RecordKind::kNone, false, sample_rows()});
  for (uint16_t kind = 1; kind < 64; ++kind)
    EXPECT_EQ(log.rows_of(static_cast<RecordKind>(kind)), expected.rows_of(static_cast<RecordKind>(kind)));
}

TEST_F(RoundTripTest, HeaderKeepsItsDescription) {
  write_sample_log(file_.vacate(), Flushes::kOnce);
  std::unique_ptr<LogReader> reader;
  ASSERT_TRUE(LogReader::open(file_.path(), reader).is_ok());
  const log::FileHeader expected = sample_header();
  EXPECT_EQ(reader->header().pid, expected.pid);
  EXPECT_EQ(reader->header().clock, expected.clock);
  EXPECT_EQ(reader->header().start_time_ns, expected.start_time_ns);
  EXPECT_EQ(reader->header().start_realtime_ns, expected.start_realtime_ns);
  EXPECT_STREQ(reader->header().host, expected.host);
  EXPECT_STREQ(reader->header().run_id, expected.run_id);
  EXPECT_TRUE(std::equal(std::begin(expected.boot_id), std::end(expected.boot_id), reader->header().boot_id));
}

TEST_F(RoundTripTest, LogWithoutRecordsHasAnEndRecord) {
  Open();
  Close();
  const DecodedLog log = ReadClean();
  EXPECT_EQ(log.rows_of(RecordKind::kEnd).size(), 1u);
  EXPECT_EQ(log.rows().size(), 2u) << "the end, and the text of its reason";
}

TEST_F(RoundTripTest, HeaderAloneIsATruncatedLog) {
  Open();
  const DecodedLog log = Read();
  EXPECT_TRUE(log.blocks.empty());
  EXPECT_TRUE(log.loss.is_cut_short);
  EXPECT_TRUE(log.loss.regions.empty());
}

TEST_F(RoundTripTest, WriterThatVanishesLeavesAllRecordsButNoEnd) {
  {
    log::Writer writer;
    ASSERT_TRUE(writer.open(file_.vacate().c_str(), sample_header()));
    ASSERT_TRUE(writer.append(log::Mark{1, 0, 1, 0, 1000, 0}));
  }
  const DecodedLog log = Read();
  EXPECT_EQ(log.rows_of(RecordKind::kMark).size(), 1u);
  EXPECT_TRUE(log.loss.is_cut_short);
}

TEST_F(RoundTripTest, ManyRecordsSpanManyBlocks) {
  Open();
  const uint32_t count = 2 * log::Writer::kBatchRecords + 7;
  for (uint32_t i = 0; i < count; ++i) ASSERT_TRUE(writer_.append(log::Call{1, 2, i * 1000, i % 3000, i}));
  Close();
  const DecodedLog log = ReadClean();
  const std::vector<DecodedRow> rows = log.rows_of(RecordKind::kCall);
  ASSERT_EQ(rows.size(), count);
  for (uint32_t i = 0; i < count; ++i) {
    ASSERT_EQ(rows[i].values[2], i * 1000);
    ASSERT_EQ(rows[i].values[3], i % 3000);
    ASSERT_EQ(rows[i].values[4], i);
  }
  EXPECT_EQ(writer_.records_written(), log.rows().size());
  EXPECT_EQ(writer_.bytes_written(), read_bytes(file_.path()).size());
}

TEST_F(RoundTripTest, NumbersOfEveryLengthSurviveSideBySide) {
  Open();
  std::vector<int64_t> values;
  for (int bits = 0; bits < 64; ++bits)
    for (const int64_t nudge : {-1, 0, 1})
      for (const uint64_t sign : {uint64_t{0}, ~uint64_t{0}})
        values.push_back(static_cast<int64_t>(((uint64_t{1} << bits) ^ sign) + static_cast<uint64_t>(nudge)));
  const size_t distinct = values.size();
  while (values.size() < 2000) values.push_back(values[values.size() * 97 % distinct]);
  for (const int64_t value : values) ASSERT_TRUE(writer_.append(log::Range{value, 0, 0, 0, value, 0, 0}));
  Close();
  const std::vector<DecodedRow> rows = ReadClean().rows_of(RecordKind::kRange);
  ASSERT_EQ(rows.size(), values.size());
  for (size_t i = 0; i < values.size(); ++i) {
    ASSERT_EQ(rows[i].values[0], values[i]) << "plain, row " << i;
    ASSERT_EQ(rows[i].values[4], values[i]) << "delta, row " << i;
  }
}

TEST_F(RoundTripTest, TextsAreKeptOnceAndWhole) {
  Open();
  EXPECT_EQ(Intern(""), 0);
  const int64_t first = Intern("first");
  EXPECT_EQ(first, 1);
  EXPECT_EQ(Intern("first"), first);
  std::vector<std::string> texts = {"first"};
  for (int i = 0; i < 20000; ++i) texts.push_back("kernel_" + std::to_string(i));
  texts.push_back(std::string(1'000'000, 'n'));
  for (size_t i = 0; i < texts.size(); ++i) ASSERT_EQ(Intern(texts[i]), static_cast<int64_t>(i + 1));
  for (size_t i = 0; i < texts.size(); ++i) ASSERT_EQ(Intern(texts[i]), static_cast<int64_t>(i + 1));
  Close();
  const std::vector<DecodedRow> rows = ReadClean().rows_of(RecordKind::kString);
  ASSERT_EQ(rows.size(), texts.size() + 1);
  for (size_t i = 0; i < texts.size(); ++i) ASSERT_EQ(rows[i].text, texts[i]);
}

TEST_F(RoundTripTest, TextsBeyondTheLimitAreTruncated) {
  Open();
  const std::string longest(log::kMaxTextBytes, 'a');
  EXPECT_EQ(Intern(longest + "b"), Intern(longest + "c"));
  for (char c = 'd'; c < 'h'; ++c) EXPECT_NE(Intern(c + longest), 0);
  Close();
  for (const DecodedRow& row : ReadClean().rows_of(RecordKind::kString)) EXPECT_LE(row.text.size(), log::kMaxTextBytes);
}

TEST_F(RoundTripTest, TextsComeBeforeTheirFirstUse) {
  Open();
  for (int i = 0; i < 40000; ++i) {
    const int64_t name = Intern("name" + std::to_string(i / 100));
    ASSERT_TRUE(writer_.append(log::Mark{1, name, 1, 0, i, 0}));
  }
  Close();
  int64_t known = 0;
  for (const BlockInLog& block : ReadClean().blocks) {
    if (block.is_recap) break;
    for (const DecodedRow& row : block.rows) {
      if (row.kind == RecordKind::kString) known = std::max(known, row.values[0]);
      if (row.kind != RecordKind::kMark) continue;
      ASSERT_LE(row.values[1], known);
    }
  }
}

TEST_F(RoundTripTest, RecapRepeatsTheLatestStateOnce) {
  Open();
  const int64_t name = Intern("worker");
  ASSERT_TRUE(writer_.append(log::Thread{1, 100, 0, 1}));
  ASSERT_TRUE(writer_.append(log::Thread{2, 200, 0, 0}));
  ASSERT_TRUE(writer_.append(log::Thread{2, 200, 0, 0}));
  ASSERT_TRUE(writer_.append(log::Thread{2, 200, name, 0}));
  ASSERT_TRUE(writer_.append(log::Process{-1, 0, -1, 0}));
  ASSERT_TRUE(writer_.append(log::Process{3, 8, 3, 8}));
  Close();
  const DecodedLog log = ReadClean();
  EXPECT_EQ(log.rows_of(RecordKind::kThread).size(), 3u) << "a row that says nothing new is not written";
  std::vector<DecodedRow> recap;
  for (const BlockInLog& block : log.blocks)
    if (block.is_recap) recap.insert(recap.end(), block.rows.begin(), block.rows.end());
  const std::vector<DecodedRow> expected = {
      {RecordKind::kString, {1}, "worker"},         {RecordKind::kString, {2}, "closed"},
      {RecordKind::kProcess, {3, 8, 3, 8}, ""},     {RecordKind::kThread, {1, 100, 0, 1}, ""},
      {RecordKind::kThread, {2, 200, name, 0}, ""}, {RecordKind::kEnd, {99, 2}, ""},
  };
  EXPECT_EQ(recap, expected);
}

TEST_F(RoundTripTest, ConstantColumnsTakeNoSpace) {
  Open();
  for (int i = 0; i < 3000; ++i) ASSERT_TRUE(writer_.append(log::Link{7, 0}));
  Close();
  EXPECT_LT(read_bytes(file_.path()).size(), 1000u);
  for (const DecodedRow& row : ReadClean().rows_of(RecordKind::kLink))
    ASSERT_EQ(row.values, (std::vector<int64_t>{7, 0}));
}

TEST_F(RoundTripTest, WriterRefusesToOverwrite) {
  ScratchFile other;
  EXPECT_FALSE(writer_.open(other.path().c_str(), sample_header()));
  EXPECT_EQ(writer_.error(), EEXIST);
  EXPECT_FALSE(writer_.ok());
  EXPECT_FALSE(writer_.append(log::Link{1, 2}));
  EXPECT_EQ(Intern("text"), 0);
  EXPECT_FALSE(writer_.flush());
  EXPECT_FALSE(writer_.close(1, "closed"));
}

TEST_F(RoundTripTest, ClosedWriterAcceptsNothingMore) {
  Open();
  Close();
  EXPECT_TRUE(writer_.ok());
  EXPECT_FALSE(writer_.append(log::Link{1, 2}));
  EXPECT_FALSE(writer_.close(1, "closed"));
}

TEST_F(RoundTripTest, RemovedLogStaysRemoved) {
  Open();
  ASSERT_TRUE(writer_.append(log::Link{1, 2}));
  ASSERT_TRUE(writer_.flush());
  EXPECT_TRUE(writer_.remove());
  EXPECT_NE(access(file_.path().c_str(), F_OK), 0);
  EXPECT_FALSE(writer_.append(log::Link{1, 2}));
  EXPECT_FALSE(writer_.close(1, "closed"));
  EXPECT_NE(access(file_.path().c_str(), F_OK), 0);
}

}  // namespace
}  // namespace tauprof
