// Logs that a later version or a broken program might write. What is unknown is skipped; what is wrong counts as
// damage.
#include <gtest/gtest.h>

#include <cstring>

#include "format/decoded_log.h"
#include "format/log_forge.h"
#include "format/scratch_file.h"

namespace tauprof {
namespace {

using log::RecordKind;

constexpr auto kLink = static_cast<uint16_t>(RecordKind::kLink);
constexpr auto kString = static_cast<uint16_t>(RecordKind::kString);
constexpr uint16_t kUnknownKind = 777;

class CompatibilityTest : public testing::Test {
 protected:
  DecodedLog Read(const std::vector<ByteVector>& blocks) { return Read(forge_header(), blocks); }
  DecodedLog Read(const log::FileHeader& header, const std::vector<ByteVector>& blocks) {
    file_.write(forge_log(header, blocks));
    DecodedLog log = decode_log(file_.path());
    EXPECT_TRUE(log.status.is_ok()) << log.status.message();
    return log;
  }

  // A block with two links, as version 1 writes it.
  static ForgedBlock Links(uint64_t first_record) {
    return {kLink, 2, first_record, {plain_column(0, {10, 11}), plain_column(1, {20, 21})}};
  }
  static void ExpectLinks(const DecodedLog& log) {
    const std::vector<DecodedRow> expected = {{RecordKind::kLink, {10, 20}, ""}, {RecordKind::kLink, {11, 21}, ""}};
    EXPECT_EQ(log.rows_of(RecordKind::kLink), expected);
  }

  // The block is refused for this reason, and the one after it is read.
  void ExpectDamage(const ForgedBlock& block, const std::string& what) {
    const DecodedLog log = Read({block.sealed(), Links(block.header.records).sealed()});
    ASSERT_EQ(log.loss.regions.size(), 1u) << what;
    EXPECT_NE(log.loss.regions[0].what.find(what), std::string::npos) << log.loss.regions[0].what;
    ExpectLinks(log);
  }

  ScratchFile file_;
};

TEST_F(CompatibilityTest, UnknownKindsAreSkippedAndCounted) {
  const ForgedBlock unknown(kUnknownKind, 5, 0, {constant_column(0, 1), {3, 99, {1, 2, 3}}});
  const DecodedLog log = Read({unknown.sealed(), Links(5).sealed()});
  ExpectLinks(log);
  EXPECT_EQ(log.loss.unknown_blocks, 1u);
  EXPECT_EQ(log.loss.lost_records, 0u);
  EXPECT_TRUE(log.loss.regions.empty());
}

TEST_F(CompatibilityTest, UnknownKindsAreHandedOutOnRequest) {
  file_.write(forge_log(forge_header(), {ForgedBlock(kUnknownKind, 2, 0, {plain_column(4, {8, 9})}).sealed()}));
  std::unique_ptr<LogReader> reader;
  ASSERT_TRUE(LogReader::open(file_.path(), reader).is_ok());
  reader->keep_unknown_kinds();
  RecordBlock block;
  ASSERT_TRUE(reader->next(block));
  EXPECT_EQ(static_cast<uint16_t>(block.kind()), kUnknownKind);
  EXPECT_EQ(block.column(4)[1], 9);
  EXPECT_FALSE(reader->next(block));
}

TEST_F(CompatibilityTest, UnknownColumnsAreIgnored) {
  ForgedBlock block(kLink, 2, 0,
                    {{9, 200, {0xFF, 0xFF}}, plain_column(0, {10, 11}), {4000, 0, {}}, plain_column(1, {20, 21})});
  const DecodedLog log = Read({block.sealed()});
  ExpectLinks(log);
  EXPECT_TRUE(log.loss.regions.empty());
}

TEST_F(CompatibilityTest, MissingColumnsReadAsZero) {
  const DecodedLog log = Read({ForgedBlock(kLink, 2, 0, {plain_column(1, {20, 21})}).sealed()});
  EXPECT_EQ(log.rows_of(RecordKind::kLink)[1].values, (std::vector<int64_t>{0, 21}));
}

TEST_F(CompatibilityTest, ConstantColumnsReadTheSameInEveryRow) {
  const DecodedLog log = Read({ForgedBlock(kLink, 3, 0, {constant_column(0, -5)}).sealed()});
  for (const DecodedRow& row : log.rows_of(RecordKind::kLink)) EXPECT_EQ(row.values, (std::vector<int64_t>{-5, 0}));
}

TEST_F(CompatibilityTest, LongerHeadersOfALaterVersionAreAccepted) {
  log::FileHeader header = forge_header();
  header.version = 2;
  header.header_size = 400;
  ForgedBlock block = Links(0);
  block.header_extension = ByteVector(24, 0xAB);
  const DecodedLog log = Read(header, {block.sealed(), Links(2).sealed()});
  EXPECT_EQ(log.rows_of(RecordKind::kLink).size(), 4u);
  EXPECT_TRUE(log.loss.regions.empty());
}

TEST_F(CompatibilityTest, UnknownBlockFlagsAreIgnored) {
  ForgedBlock block = Links(0);
  block.header.flags = 0xFE;
  ExpectLinks(Read({block.sealed()}));
}

TEST_F(CompatibilityTest, ColumnsThatDoNotFitAreDamage) {
  ExpectDamage({kLink, 2, 0, {plain_column(0, {1, 2, 3})}}, "one value for each record");
  ExpectDamage({kLink, 2, 0, {plain_column(0, {1})}}, "one value for each record");
  ExpectDamage({kLink, 2, 0, {{0, 0, {}}}}, "one value for each record");
  ExpectDamage({kLink, 2, 0, {{0, 0, {1, 1}}}}, "one value for each record");
  ExpectDamage({kLink, 2, 0, {{0, 1, {0x80, 0x80}}}}, "one value for each record");
  ExpectDamage({kLink, 2, 0, {{0, 77, {1, 1}}}}, "encoding");
  ExpectDamage({kLink, 2, 0, {plain_column(0, {1, 2}), plain_column(0, {1, 2})}}, "twice");
}

TEST_F(CompatibilityTest, NumbersBeyond64BitsAreDamage) {
  const ByteVector most(9, 0xFF);
  ForgedColumn column{0, static_cast<uint8_t>(log::Encoding::kPlain), most};
  column.bytes.push_back(0x01);
  EXPECT_EQ(Read({ForgedBlock(kLink, 1, 0, {column}).sealed()}).rows_of(RecordKind::kLink)[0].values[0], -1);
  column.bytes.back() = 0x02;
  ExpectDamage({kLink, 1, 0, {column}}, "one value for each record");
  column.bytes = ByteVector(100, 0x80);
  ExpectDamage({kLink, 1, 0, {column}}, "one value for each record");
}

TEST_F(CompatibilityTest, TextsThatDoNotFitAreDamage) {
  const auto encoding = static_cast<uint8_t>(log::Encoding::kText);
  ExpectDamage({kString, 2, 0, {{log::kTextColumn, encoding, {1, 2, 'a', 'b'}}}}, "texts do not fit");
  ExpectDamage({kString, 2, 0, {{log::kTextColumn, encoding, {1, 1, 'a', 'b', 'c'}}}}, "texts do not fit");
  ExpectDamage({kString, 2, 0, {{log::kTextColumn, encoding, {1}}}}, "texts do not fit");
  ExpectDamage({kString, 2, 0, {{log::kTextColumn, 1, {1, 1}}}}, "texts make no sense");
}

TEST_F(CompatibilityTest, StringsWithoutTextsAreEmpty) {
  EXPECT_EQ(Read({ForgedBlock(kString, 1, 0, {constant_column(0, 1)}).sealed()}).rows()[0].text, "");
}

TEST_F(CompatibilityTest, WrongColumnNumbersAreDamage) {
  ForgedBlock block = Links(0);
  block.header.columns = 1;
  ExpectDamage(block, "left over");
  block.header.columns = 3;
  ExpectDamage(block, "fewer columns than the header says");
  block.payload[4] = 200;
  ExpectDamage(block, "longer than its block");
}

TEST_F(CompatibilityTest, ImpossibleSizesAreDamage) {
  ForgedBlock block = Links(0);
  block.header.raw_size = log::kMaxBlockBytes + 1;
  ExpectDamage(block, "makes no sense");
  block = Links(0);
  block.header.raw_size += 1;
  ExpectDamage(block, "two sizes");
  block = Links(0);
  block.header.compression = 9;
  ExpectDamage(block, "compression");
  block.header.compression = static_cast<uint8_t>(log::Compression::kZstd);
  ExpectDamage(block, "does not decompress");
}

TEST_F(CompatibilityTest, ImpossibleRecordCountsAreDamage) {
  for (const uint32_t records : {0u, log::kMaxBlockRecords + 1, ~0u}) {
    ForgedBlock block = Links(0);
    block.header.records = records;
    const DecodedLog log = Read({block.sealed(), Links(0).sealed()});
    ASSERT_EQ(log.loss.regions.size(), 1u);
    EXPECT_EQ(log.loss.lost_records, 0u);
    ExpectLinks(log);
  }
}

TEST_F(CompatibilityTest, ABlockWithTheMaximumOfRecordsIsRead) {
  const std::vector<int64_t> owners(log::kMaxBlockRecords, 5);
  const DecodedLog log =
      Read({ForgedBlock(kLink, log::kMaxBlockRecords, 0, {constant_column(0, 3), plain_column(1, owners)}).sealed()});
  EXPECT_EQ(log.rows_of(RecordKind::kLink).size(), log::kMaxBlockRecords);
}

// Every column is constant, so a header of 56 bytes claims them all.
TEST_F(CompatibilityTest, RowsWithoutBytesAreDamageFromSomeNumberOn) {
  const auto rows_of = [&](uint32_t records) {
    return Read({ForgedBlock(kLink, records, 0, {constant_column(0, 3)}).sealed()}).rows_of(RecordKind::kLink).size();
  };
  EXPECT_EQ(rows_of(2000), 2000u);
  EXPECT_EQ(rows_of(log::kMaxBlockRecords), 0u);
}

}  // namespace
}  // namespace tauprof
