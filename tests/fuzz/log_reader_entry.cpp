// Feeds arbitrary bytes to the log reader, as they are and with corrected checksums, because hardly any arbitrary input
// passes a checksum.
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>

#include "format/log_forge.h"
#include "fuzz/memory_file.h"
#include "read/log_reader.h"
#include "read/record_names.h"

namespace tauprof {
namespace {

// Reads all that the reader returns, so that sanitizers see every byte.
uint64_t read_block(const RecordBlock& block) {
  uint64_t sum = 0;
  for (uint16_t column = 0; column < log::kMaxColumns; ++column) {
    const Column values = block.column(column);
    sum += static_cast<uint64_t>(values[0]) + static_cast<uint64_t>(values[block.records() - 1]);
  }
  for (uint32_t row = 0; row < block.records(); ++row)
    for (const char c : block.text(row)) sum += static_cast<unsigned char>(c);
  return sum;
}

// Aborts if the counts of losses contradict each other.
void read_log(const ByteVector& bytes) {
  const MemoryFile file(bytes);
  std::unique_ptr<LogReader> reader;
  if (!LogReader::open(file.path(), reader).is_ok()) return;
  reader->keep_unknown_kinds();
  RecordBlock block;
  volatile uint64_t sum = 0;
  while (reader->next(block)) sum = sum + read_block(block);
  uint64_t lost = 0, end = 0;
  for (const LogDamage& region : reader->loss().regions) {
    if (region.offset < end || region.bytes == 0) abort();
    end = region.offset + region.bytes;
    lost += region.bytes;
  }
  if (lost != reader->loss().lost_bytes || end > bytes.size()) abort();
}

}  // namespace
}  // namespace tauprof

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  tauprof::ByteVector bytes(data, data + size);
  tauprof::read_log(bytes);
  tauprof::reseal(bytes);
  tauprof::read_log(bytes);
  return 0;
}
