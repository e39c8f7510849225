// Damages a log at one place at a time, everywhere. Whatever is outside the damaged block is read as before, and the
// loss is reported exactly.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "format/decoded_log.h"
#include "format/log_forge.h"
#include "format/sample_log.h"
#include "format/scratch_file.h"

namespace tauprof {
namespace {

using log::RecordKind;

// Small, with several blocks of several kinds, compressed and uncompressed.
void write_small_log(const std::string& path) {
  log::Writer writer;
  ASSERT_TRUE(writer.open(path.c_str(), sample_header()));
  for (int64_t round = 1; round <= 2; ++round) {
    const std::string name = "kernel_" + std::to_string(round);
    const int64_t text = writer.intern(name.data(), name.size());
    ASSERT_TRUE(writer.append(log::Thread{round, 4000 + round, text, round == 1}));
    for (int64_t i = 0; i < 12; ++i) {
      const int64_t start = 1'000'000 * round + 7001 * i;
      ASSERT_TRUE(writer.append(log::Call{round, text, start, 3000 + 17 * i * i, 100 * round + i, 0, 0x7F00 + i % 3}));
    }
    ASSERT_TRUE(writer.append(log::Mark{round, text, 1, 0, 1'000'000 * round, 5}));
    ASSERT_TRUE(writer.flush());
  }
  ASSERT_TRUE(writer.close(9'000'000, "closed"));
}

// The last row about each thing, from whatever block.
std::map<std::string, std::string> final_state(const DecodedLog& log) {
  std::map<std::string, std::string> state;
  for (const BlockInLog& block : log.blocks)
    for (const DecodedRow& row : block.rows)
      if (row.kind == RecordKind::kString || row.kind == RecordKind::kThread)
        state[std::to_string(static_cast<int>(row.kind)) + ':' + std::to_string(row.values[0])] = describe(row);
  return state;
}

class DamageTest : public testing::Test {
 protected:
  void UseSmallLog() {
    write_small_log(file_.vacate());
    Adopt();
  }
  void UseSampleLog() {
    write_sample_log(file_.vacate(), Flushes::kOnce);
    Adopt();
  }

  DecodedLog Read() { return decode_log(scratch_.path()); }
  DecodedLog ReadBytes(const ByteVector& bytes) {
    scratch_.write(bytes);
    return Read();
  }

  // Every block is as before, except those for which `is_lost` is true.
  template <class IsLost>
  void ExpectAllBut(const DecodedLog& log, IsLost is_lost) {
    std::vector<BlockInLog> expected;
    for (size_t i = 0; i < places_.size(); ++i)
      if (!is_lost(places_[i])) expected.push_back(intact_.blocks[i]);
    ASSERT_EQ(log.blocks, expected);
  }

  const PlacedBlock& BlockAt(size_t offset) {
    return *std::find_if(places_.begin(), places_.end(), [&](const PlacedBlock& b) { return offset < b.end(); });
  }
  const PlacedBlock& FirstBlockOf(RecordKind kind) {
    return *std::find_if(places_.begin(), places_.end(),
                         [&](const PlacedBlock& b) { return b.header.kind == static_cast<uint16_t>(kind); });
  }

  void FlipEveryByte(const std::vector<uint8_t>& masks);
  void ExpectOnlyBlockLost(const PlacedBlock& block);
  void CutEverywhere();
  void ExpectCutAt(size_t size);

  ScratchFile file_;
  ScratchFile scratch_;
  ByteVector bytes_;
  std::vector<PlacedBlock> places_;
  DecodedLog intact_;

 private:
  void Adopt() {
    bytes_ = read_bytes(file_.path());
    places_ = place_blocks(bytes_);
    intact_ = decode_log(file_.path());
    ASSERT_TRUE(intact_.status.is_ok());
    ASSERT_EQ(intact_.blocks.size(), places_.size());
  }
};

void DamageTest::ExpectOnlyBlockLost(const PlacedBlock& block) {
  const DecodedLog log = Read();
  ASSERT_TRUE(log.status.is_ok()) << log.status.message();
  ExpectAllBut(log, [&](const PlacedBlock& other) { return other.offset == block.offset; });
  ASSERT_EQ(log.loss.regions.size(), 1u);
  ASSERT_EQ(log.loss.regions[0].offset, block.offset);
  ASSERT_EQ(log.loss.regions[0].bytes, block.size);
  ASSERT_EQ(log.loss.lost_bytes, block.size);
  ASSERT_EQ(log.loss.lost_records, block.is_recap() ? 0 : block.header.records);
  ASSERT_FALSE(log.loss.is_cut_short);
  ASSERT_EQ(final_state(log), final_state(intact_)) << "a recap must give back names and state";
}

void DamageTest::FlipEveryByte(const std::vector<uint8_t>& masks) {
  scratch_.write(bytes_);
  for (size_t at = 0; at < bytes_.size(); ++at) {
    for (const uint8_t mask : masks) {
      SCOPED_TRACE("byte " + std::to_string(at) + " xor " + std::to_string(mask));
      scratch_.set_byte(at, bytes_[at] ^ mask);
      if (at < sizeof(log::FileHeader)) {
        ASSERT_FALSE(Read().status.is_ok());
      } else {
        ExpectOnlyBlockLost(BlockAt(at));
      }
      if (HasFatalFailure()) return;
    }
    scratch_.set_byte(at, bytes_[at]);
  }
}

void DamageTest::ExpectCutAt(size_t size) {
  const DecodedLog log = Read();
  if (size < sizeof(log::FileHeader)) {
    ASSERT_FALSE(log.status.is_ok());
    return;
  }
  ASSERT_TRUE(log.status.is_ok());
  ExpectAllBut(log, [&](const PlacedBlock& block) { return block.end() > size; });
  const PlacedBlock& cut = BlockAt(size);
  const bool is_inside = size > cut.offset;
  const bool is_header_whole = size >= cut.offset + sizeof(log::BlockHeader);
  ASSERT_EQ(log.loss.lost_records, is_inside && is_header_whole && !cut.is_recap() ? cut.header.records : 0);
  ASSERT_EQ(log.loss.lost_bytes, size - cut.offset);
  ASSERT_EQ(log.loss.regions.size(), is_inside ? 1u : 0u);
  // Right after the end record, only the recap is missing.
  const bool is_after_end = !is_inside && cut.offset == FirstBlockOf(RecordKind::kEnd).end();
  ASSERT_EQ(log.loss.is_cut_short, !is_after_end);
}

void DamageTest::CutEverywhere() {
  scratch_.write(bytes_);
  for (size_t size = bytes_.size(); size-- > 0;) {
    SCOPED_TRACE("cut at byte " + std::to_string(size));
    scratch_.truncate(size);
    ExpectCutAt(size);
    if (HasFatalFailure()) return;
  }
}

TEST_F(DamageTest, SmallLogHasBlocksOfAllSorts) {
  UseSmallLog();
  EXPECT_GE(places_.size(), 12u);
  const auto is_compressed = [](const PlacedBlock& block) { return block.header.compression != 0; };
  EXPECT_TRUE(std::any_of(places_.begin(), places_.end(), is_compressed));
  EXPECT_FALSE(std::all_of(places_.begin(), places_.end(), is_compressed));
}

TEST_F(DamageTest, AnyFlippedBitCostsOnlyItsBlock) {
  UseSmallLog();
  FlipEveryByte({0x01, 0x02, 0x04, 0x08, 0x10, 0x20, 0x40, 0x80, 0xFF});
}

TEST_F(DamageTest, AnyFlippedByteOfALogWithAllKindsCostsOnlyItsBlock) {
  UseSampleLog();
  FlipEveryByte({0xFF, 0x01});
}

TEST_F(DamageTest, TruncatingAnywhereKeepsTheWholeBlocksBefore) {
  UseSmallLog();
  CutEverywhere();
}

TEST_F(DamageTest, TruncatingALogWithAllKindsAnywhereKeepsTheWholeBlocksBefore) {
  UseSampleLog();
  CutEverywhere();
}

TEST_F(DamageTest, TwoDamagedBlocksAreTwoRegions) {
  UseSmallLog();
  bytes_[places_[1].offset + 60] ^= 1;
  bytes_[places_[4].offset + 60] ^= 1;
  const DecodedLog log = ReadBytes(bytes_);
  EXPECT_EQ(log.loss.regions.size(), 2u);
  EXPECT_EQ(log.loss.lost_records, places_[1].header.records + places_[4].header.records);
  ExpectAllBut(log,
               [&](const PlacedBlock& b) { return b.offset == places_[1].offset || b.offset == places_[4].offset; });
}

TEST_F(DamageTest, ZerosOverSeveralBlocksAreOneRegion) {
  UseSmallLog();
  const size_t begin = places_[2].offset + 10, end = places_[5].offset + 20;
  std::fill(bytes_.begin() + static_cast<ptrdiff_t>(begin), bytes_.begin() + static_cast<ptrdiff_t>(end), 0);
  const DecodedLog log = ReadBytes(bytes_);
  ASSERT_EQ(log.loss.regions.size(), 1u);
  EXPECT_EQ(log.loss.regions[0].offset, places_[2].offset);
  EXPECT_EQ(log.loss.lost_records, places_[6].header.first_record - places_[2].header.first_record);
  ExpectAllBut(log,
               [&](const PlacedBlock& b) { return b.offset >= places_[2].offset && b.offset <= places_[5].offset; });
}

TEST_F(DamageTest, MissingBytesCostOnlyTheirBlock) {
  UseSmallLog();
  for (const PlacedBlock& block : places_) {
    SCOPED_TRACE("block at " + std::to_string(block.offset));
    ByteVector shorter = bytes_;
    const auto cut = shorter.begin() + static_cast<ptrdiff_t>(block.end() - 3);
    shorter.erase(cut, cut + 2);
    const DecodedLog log = ReadBytes(shorter);
    ExpectAllBut(log, [&](const PlacedBlock& other) { return other.offset == block.offset; });
    EXPECT_EQ(log.loss.lost_records, block.is_recap() ? 0 : block.header.records);
  }
}

TEST_F(DamageTest, BytesBetweenBlocksCostNothing) {
  UseSmallLog();
  for (const PlacedBlock& block : places_) {
    ByteVector longer = bytes_;
    const std::string garbage = "\xF7TP not a block";
    longer.insert(longer.begin() + static_cast<ptrdiff_t>(block.offset), garbage.begin(), garbage.end());
    const DecodedLog log = ReadBytes(longer);
    ASSERT_EQ(log.blocks, intact_.blocks);
    ASSERT_EQ(log.loss.lost_records, 0u);
    ASSERT_EQ(log.loss.lost_bytes, garbage.size());
  }
}

TEST_F(DamageTest, MissingBlockIsCountedFromItsRecordNumbers) {
  UseSmallLog();
  const PlacedBlock& missing = FirstBlockOf(RecordKind::kCall);
  bytes_.erase(bytes_.begin() + static_cast<ptrdiff_t>(missing.offset),
               bytes_.begin() + static_cast<ptrdiff_t>(missing.end()));
  EXPECT_EQ(ReadBytes(bytes_).loss.lost_records, missing.header.records);
}

TEST_F(DamageTest, RepeatedBlockIsNotCountedTwice) {
  UseSmallLog();
  const PlacedBlock& repeated = FirstBlockOf(RecordKind::kCall);
  const ByteVector copy(bytes_.begin() + static_cast<ptrdiff_t>(repeated.offset),
                        bytes_.begin() + static_cast<ptrdiff_t>(repeated.end()));
  bytes_.insert(bytes_.begin() + static_cast<ptrdiff_t>(repeated.end()), copy.begin(), copy.end());
  const DecodedLog log = ReadBytes(bytes_);
  EXPECT_EQ(log.blocks, intact_.blocks);
  EXPECT_EQ(log.loss.lost_records, 0u);
  EXPECT_EQ(log.loss.regions.size(), 1u);
}

}  // namespace
}  // namespace tauprof
