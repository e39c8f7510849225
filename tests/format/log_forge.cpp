#include "format/log_forge.h"

#include <algorithm>
#include <cstring>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace tauprof {
namespace {

void seal(log::BlockHeader& header) {
  header.header_checksum = XXH3_64bits(&header, offsetof(log::BlockHeader, header_checksum));
}

}  // namespace

log::FileHeader forge_header() {
  log::FileHeader header{};
  memcpy(header.magic, log::kFileMagic, sizeof header.magic);
  header.byte_order = log::kByteOrderMark;
  header.version = 1;
  header.minimum_reader = 1;
  header.header_size = sizeof header;
  header.required_features = log::kFeatureZstd;
  return header;
}

void seal(log::FileHeader& header) { header.checksum = XXH3_64bits(&header, offsetof(log::FileHeader, checksum)); }

void append_bytes(ByteVector& bytes, const void* data, size_t size) {
  const size_t end = bytes.size();
  bytes.resize(end + size);
  if (size > 0) memcpy(bytes.data() + end, data, size);
}

void append_leb128(ByteVector& bytes, uint64_t value) {
  for (; value >= 0x80; value >>= 7) bytes.push_back(static_cast<uint8_t>(value | 0x80));
  bytes.push_back(static_cast<uint8_t>(value));
}

ForgedColumn constant_column(uint16_t number, int64_t value) {
  ForgedColumn column{number, static_cast<uint8_t>(log::Encoding::kConstant), {}};
  append_leb128(column.bytes, static_cast<uint64_t>(value));
  return column;
}

ForgedColumn plain_column(uint16_t number, const std::vector<int64_t>& values) {
  ForgedColumn column{number, static_cast<uint8_t>(log::Encoding::kPlain), {}};
  for (const int64_t value : values) append_leb128(column.bytes, static_cast<uint64_t>(value));
  return column;
}

ForgedBlock::ForgedBlock(uint16_t kind, uint32_t records, uint64_t first_record,
                         const std::vector<ForgedColumn>& columns) {
  memcpy(header.sync, log::kBlockSync, sizeof header.sync);
  header.kind = kind;
  header.records = records;
  header.first_record = first_record;
  header.columns = static_cast<uint16_t>(columns.size());
  for (const ForgedColumn& column : columns) {
    const log::ColumnHeader head{column.number, column.encoding, 0, static_cast<uint32_t>(column.bytes.size())};
    append_bytes(payload, &head, sizeof head);
    append_bytes(payload, column.bytes.data(), column.bytes.size());
  }
  header.raw_size = static_cast<uint32_t>(payload.size());
}

ByteVector ForgedBlock::sealed() const {
  log::BlockHeader final_header = header;
  final_header.header_size = static_cast<uint16_t>(sizeof header + header_extension.size());
  final_header.stored_size = static_cast<uint32_t>(payload.size());
  final_header.payload_checksum = XXH3_64bits(payload.data(), payload.size());
  seal(final_header);
  ByteVector bytes;
  append_bytes(bytes, &final_header, sizeof final_header);
  append_bytes(bytes, header_extension.data(), header_extension.size());
  append_bytes(bytes, payload.data(), payload.size());
  return bytes;
}

ByteVector forge_log(log::FileHeader header, const std::vector<ByteVector>& blocks) {
  seal(header);
  ByteVector bytes;
  append_bytes(bytes, &header, sizeof header);
  bytes.resize(std::max<size_t>(header.header_size, bytes.size()));
  for (const ByteVector& block : blocks) append_bytes(bytes, block.data(), block.size());
  return bytes;
}

std::vector<PlacedBlock> place_blocks(const ByteVector& log) {
  std::vector<PlacedBlock> blocks;
  for (size_t offset = sizeof(log::FileHeader); offset < log.size(); offset = blocks.back().end()) {
    PlacedBlock& block = blocks.emplace_back(PlacedBlock{offset, 0, {}});
    memcpy(&block.header, log.data() + offset, sizeof block.header);
    block.size = block.header.header_size + block.header.stored_size;
  }
  return blocks;
}

void reseal(ByteVector& log) {
  if (log.size() < sizeof(log::FileHeader)) return;
  log::FileHeader file_header;
  memcpy(&file_header, log.data(), sizeof file_header);
  seal(file_header);
  memcpy(log.data(), &file_header, sizeof file_header);
  for (size_t at = 0; at + sizeof(log::BlockHeader) <= log.size(); ++at) {
    if (memcmp(log.data() + at, log::kBlockSync, sizeof log::kBlockSync) != 0) continue;
    log::BlockHeader header;
    memcpy(&header, log.data() + at, sizeof header);
    if (header.header_size <= log.size() - at && header.stored_size <= log.size() - at - header.header_size)
      header.payload_checksum = XXH3_64bits(log.data() + at + header.header_size, header.stored_size);
    seal(header);
    memcpy(log.data() + at, &header, sizeof header);
  }
}

}  // namespace tauprof
