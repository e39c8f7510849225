#include "log/block_file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <zstd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace tauprof::log {
namespace {

constexpr int kCompressionLevel = 1;
constexpr size_t kLeastToCompress = 64;  // for fewer bytes zstd's framing costs more than it gains

}  // namespace

BlockFile::~BlockFile() { ZSTD_freeCCtx(compressor_); }

int BlockFile::create(const char* path, const FileHeader& description) {
  header_ = description;
  memcpy(header_.magic, kFileMagic, sizeof header_.magic);
  header_.byte_order = kByteOrderMark;
  header_.version = kVersion;
  header_.minimum_reader = kMinimumReader;
  header_.header_size = sizeof header_;
  header_.required_features = description.required_features | kFeatureZstd;
  header_.checksum = XXH3_64bits(&header_, offsetof(FileHeader, checksum));
  compressor_ = ZSTD_createCCtx();
  if (compressor_ == nullptr || !path_.append(reinterpret_cast<const uint8_t*>(path), strlen(path) + 1)) return ENOMEM;
  if (const int error = file_.create(path)) return error;
  const int error = write_all(reinterpret_cast<const uint8_t*>(&header_), sizeof header_);
  if (error != 0) file_.remove();
  return error;
}

int BlockFile::set_run_id(const char* run_id) {
  memset(header_.run_id, 0, sizeof header_.run_id);
  memcpy(header_.run_id, run_id, strnlen(run_id, sizeof header_.run_id - 1));
  header_.checksum = XXH3_64bits(&header_, offsetof(FileHeader, checksum));
  return file_.write_at(0, reinterpret_cast<const uint8_t*>(&header_), sizeof header_);
}

int BlockFile::write_block(const BlockHeader& description, ByteArray& block) {
  BlockHeader header = description;
  memcpy(header.sync, kBlockSync, sizeof header.sync);
  header.header_size = sizeof header;
  header.raw_size = static_cast<uint32_t>(block.size() - sizeof header);
  const size_t gained = compress(block);
  header.compression = static_cast<uint8_t>(gained != 0 ? Compression::kZstd : Compression::kNone);
  header.stored_size = gained != 0 ? static_cast<uint32_t>(gained) : header.raw_size;
  uint8_t* const bytes = gained != 0 ? compressed_.data() : block.data();
  header.payload_checksum = XXH3_64bits(bytes + sizeof header, header.stored_size);
  header.header_checksum = XXH3_64bits(&header, offsetof(BlockHeader, header_checksum));
  memcpy(bytes, &header, sizeof header);
  return write_all(bytes, sizeof header + header.stored_size);
}

// Returns the compressed size; 0: store the payload as it is, because compression does not pay or memory is short.
size_t BlockFile::compress(const ByteArray& block) {
  const size_t raw_size = block.size() - sizeof(BlockHeader);
  if (raw_size < kLeastToCompress) return 0;
  compressed_.set_size(0);
  if (!compressed_.reserve_more(sizeof(BlockHeader) + ZSTD_compressBound(raw_size))) return 0;
  const size_t size =
      ZSTD_compressCCtx(compressor_, compressed_.data() + sizeof(BlockHeader), ZSTD_compressBound(raw_size),
                        block.data() + sizeof(BlockHeader), raw_size, kCompressionLevel);
  return ZSTD_isError(size) || size >= raw_size ? 0 : size;
}

int BlockFile::write_all(const uint8_t* bytes, size_t size) {
  const int error = file_.write_at(bytes_written_, bytes, size);
  if (error == 0)
    bytes_written_ += size;
  else
    file_.cut_after(bytes_written_);  // best effort: readers can also skip half a block
  return error;
}

// The name is hidden, so that whoever lists the folder meanwhile sees only one log, and cannot be foreseen.
int BlockFile::create_beside(OwnFile& file) const {
  const char* path = reinterpret_cast<const char*>(path_.data());
  const char* slash = strrchr(path, '/');
  const char* name = slash != nullptr ? slash + 1 : path;
  ByteArray beside;
  const size_t room = path_.size() + 32;
  if (!beside.reserve_more(room)) return ENOMEM;
  int error = EEXIST;
  for (int tries = 0; error == EEXIST && tries < 8; ++tries) {
    uint32_t chance = 0;
    if (syscall(SYS_getrandom, &chance, sizeof chance, 0) != sizeof chance) chance = static_cast<uint32_t>(tries);
    auto* text = reinterpret_cast<char*>(beside.data());
    snprintf(text, room, "%.*s.%s.%08x", static_cast<int>(name - path), path, name, chance);
    error = file.create(text);
  }
  return error;
}

int BlockFile::start_replacement() {
  OwnFile beside;
  if (const int error = create_beside(beside)) return error;
  old_file_.swap(file_);
  file_.swap(beside);
  old_bytes_ = bytes_written_;
  bytes_written_ = 0;
  return write_all(reinterpret_cast<const uint8_t*>(&header_), sizeof header_);
}

int BlockFile::copy_old_blocks(uint64_t offset, uint64_t& records) {
  int error = 0;
  while (error == 0 && offset < old_bytes_) error = copy_block(offset, records);
  return error;
}

int BlockFile::copy_block(uint64_t& offset, uint64_t& records) {
  BlockHeader header;
  if (old_file_.read_at(offset, reinterpret_cast<uint8_t*>(&header), sizeof header) != 0 ||
      memcmp(header.sync, kBlockSync, sizeof header.sync) != 0 || header.header_size != sizeof header)
    return EIO;
  const size_t size = sizeof header + header.stored_size;
  const uint64_t start = offset;
  offset += size;
  if (header.flags & kBlockRecap) return 0;
  compressed_.set_size(0);
  if (!compressed_.reserve_more(size)) return ENOMEM;
  if (const int error = old_file_.read_at(start, compressed_.data(), size)) return error;
  header.first_record = records;
  header.header_checksum = XXH3_64bits(&header, offsetof(BlockHeader, header_checksum));
  memcpy(compressed_.data(), &header, sizeof header);
  records += header.records;
  return write_all(compressed_.data(), size);
}

int BlockFile::finish_replacement(int error) {
  if (!old_file_.is_open()) return error;  // it was not started
  if (error == 0) error = file_.replace(old_file_);
  if (error != 0) {
    file_.remove();
    file_.swap(old_file_);
    bytes_written_ = old_bytes_;
  }
  old_file_.close();
  return error;
}

}  // namespace tauprof::log
