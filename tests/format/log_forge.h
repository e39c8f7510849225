// Log files made by hand, byte by byte, for what the writer never writes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "format/scratch_file.h"
#include "log/format.h"

namespace tauprof {

// A header of version 1, which may be changed before it is sealed.
log::FileHeader forge_header();
void seal(log::FileHeader& header);

void append_bytes(ByteVector& bytes, const void* data, size_t size);
void append_leb128(ByteVector& bytes, uint64_t value);

struct ForgedColumn {
  uint16_t number;
  uint8_t encoding;
  ByteVector bytes;
};

ForgedColumn constant_column(uint16_t number, int64_t value);
ForgedColumn plain_column(uint16_t number, const std::vector<int64_t>& values);

// An uncompressed block; its header may be changed before it is sealed.
struct ForgedBlock {
  log::BlockHeader header{};
  ByteVector header_extension;  // bytes that a later version might have added to the header
  ByteVector payload;

  ForgedBlock(uint16_t kind, uint32_t records, uint64_t first_record, const std::vector<ForgedColumn>& columns);
  ByteVector sealed() const;  // sizes and checksums filled in
};

ByteVector forge_log(log::FileHeader header, const std::vector<ByteVector>& blocks);

// The blocks of an intact log, in order.
struct PlacedBlock {
  size_t offset;
  size_t size;
  log::BlockHeader header;
  bool is_recap() const { return (header.flags & log::kBlockRecap) != 0; }
  size_t end() const { return offset + size; }
};
std::vector<PlacedBlock> place_blocks(const ByteVector& log);

// Corrects the checksums of everything that looks like a header or a block, so that damage passes them.
void reseal(ByteVector& log);

}  // namespace tauprof
