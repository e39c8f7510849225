#include "log/block_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>
#include <zstd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace tauprof::log {
namespace {

constexpr int kCompressionLevel = 1;
constexpr size_t kLeastToCompress = 64;  // below, zstd's own framing eats the gain

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
  descriptor_ = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (descriptor_ < 0) return errno;
  return write_all(reinterpret_cast<const uint8_t*>(&header), sizeof header);
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

// The compressed size; 0 where the payload is better stored as it is (memory being short included).
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
      // Best effort: a reader finds its way past half a block, too.
      if (ftruncate(descriptor_, static_cast<off_t>(bytes_written_)) != 0) return error;
      return error;
    }
  }
  bytes_written_ += size;
  return 0;
}

int BlockFile::close() {
  if (descriptor_ < 0) return 0;
  const int result = ::close(descriptor_);
  descriptor_ = -1;
  return result == 0 || errno == EINTR ? 0 : errno;
}

}  // namespace tauprof::log
