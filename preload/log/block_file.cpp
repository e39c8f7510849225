#include "log/block_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <zstd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace tauprof::log {
namespace {

constexpr int kCompressionLevel = 1;
constexpr size_t kLeastToCompress = 64;  // for fewer bytes zstd's framing costs more than it gains

}  // namespace

BlockFile::~BlockFile() {
  close();
  ZSTD_freeCCtx(compressor_);
}

int BlockFile::create(const char* path, const FileHeader& description) {
  FileHeader header = description;
  memcpy(header.magic, kFileMagic, sizeof header.magic);
  header.byte_order = kByteOrderMark;
  header.version = kVersion;
  header.minimum_reader = kMinimumReader;
  header.header_size = sizeof header;
  header.required_features = kFeatureZstd;
  header.checksum = XXH3_64bits(&header, offsetof(FileHeader, checksum));
  compressor_ = ZSTD_createCCtx();
  if (compressor_ == nullptr) return ENOMEM;
  constexpr char kNew[] = ".new";
  const size_t length = strlen(path);
  // Hidden, so that whoever lists the folder meanwhile sees only one log.
  const char* slash = strrchr(path, '/');
  const size_t folder = slash != nullptr ? static_cast<size_t>(slash + 1 - path) : 0;
  const auto* bytes = reinterpret_cast<const uint8_t*>(path);
  if (!path_.append(bytes, length + 1) || !replacement_path_.append(bytes, folder) ||
      !replacement_path_.append(reinterpret_cast<const uint8_t*>("."), 1) ||
      !replacement_path_.append(bytes + folder, length - folder) ||
      !replacement_path_.append(reinterpret_cast<const uint8_t*>(kNew), sizeof kNew))
    return ENOMEM;
  header_ = header;
  descriptor_ = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (descriptor_ < 0) return errno;
  return write_all(reinterpret_cast<const uint8_t*>(&header), sizeof header);
}

int BlockFile::set_run_id(const char* run_id) {
  memset(header_.run_id, 0, sizeof header_.run_id);
  memcpy(header_.run_id, run_id, strnlen(run_id, sizeof header_.run_id - 1));
  header_.checksum = XXH3_64bits(&header_, offsetof(FileHeader, checksum));
  return pwrite(descriptor_, &header_, sizeof header_, 0) == sizeof header_ ? 0 : EIO;
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
  size_t done = 0;
  while (done < size) {
    const ssize_t written = write(descriptor_, bytes + done, size - done);
    if (written > 0) {
      done += static_cast<size_t>(written);
    } else if (written == 0 || errno != EINTR) {
      const int error = written == 0 ? EIO : errno;
      // Best effort: readers can also skip half a block.
      if (ftruncate(descriptor_, static_cast<off_t>(bytes_written_)) != 0) return error;
      return error;
    }
  }
  bytes_written_ += size;
  return 0;
}

int BlockFile::start_replacement() {
  const char* path = reinterpret_cast<const char*>(replacement_path_.data());
  const int file = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (file < 0) return errno;
  old_descriptor_ = descriptor_;
  old_bytes_ = bytes_written_;
  descriptor_ = file;
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
  if (pread(old_descriptor_, &header, sizeof header, static_cast<off_t>(offset)) != sizeof header ||
      memcmp(header.sync, kBlockSync, sizeof header.sync) != 0 || header.header_size != sizeof header)
    return EIO;
  const size_t size = sizeof header + header.stored_size;
  const uint64_t start = offset;
  offset += size;
  if (header.flags & kBlockRecap) return 0;
  compressed_.set_size(0);
  if (!compressed_.reserve_more(size)) return ENOMEM;
  if (pread(old_descriptor_, compressed_.data(), size, static_cast<off_t>(start)) != static_cast<ssize_t>(size))
    return EIO;
  header.first_record = records;
  header.header_checksum = XXH3_64bits(&header, offsetof(BlockHeader, header_checksum));
  memcpy(compressed_.data(), &header, sizeof header);
  records += header.records;
  return write_all(compressed_.data(), size);
}

int BlockFile::finish_replacement(int error) {
  const char* replacement = reinterpret_cast<const char*>(replacement_path_.data());
  if (error == 0 && rename(replacement, reinterpret_cast<const char*>(path_.data())) != 0) error = errno;
  if (error != 0 && old_descriptor_ >= 0) {
    unlink(replacement);
    const int failed = descriptor_;
    descriptor_ = old_descriptor_;
    old_descriptor_ = failed;
    bytes_written_ = old_bytes_;
  }
  if (old_descriptor_ >= 0) ::close(old_descriptor_);
  old_descriptor_ = -1;
  return error;
}

int BlockFile::close() {
  if (descriptor_ < 0) return 0;
  const int result = ::close(descriptor_);
  descriptor_ = -1;
  return result == 0 || errno == EINTR ? 0 : errno;
}

int BlockFile::remove() {
  close();
  return unlink(reinterpret_cast<const char*>(path_.data())) == 0 ? 0 : errno;
}

}  // namespace tauprof::log
