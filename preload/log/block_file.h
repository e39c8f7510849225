// The file under a writer: header and blocks on disk, compressed where it pays, with checksums.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "log/format.h"
#include "log/raw_array.h"

struct ZSTD_CCtx_s;

namespace tauprof::log {

class BlockFile {
 public:
  BlockFile() = default;
  ~BlockFile();
  BlockFile(const BlockFile&) = delete;
  BlockFile& operator=(const BlockFile&) = delete;

  // Creates the file, which must not exist, and writes the header. All functions return 0 or errno.
  int create(const char* path, const FileHeader& description);

  // Names the run in the header after all.
  int set_run_id(const char* run_id);

  // `block`: room for the block header, then the payload. Sizes, compression and checksums are
  // filled in here. After a failed write the file ends where the last whole block ends.
  int write_block(const BlockHeader& description, ByteArray& block);

  // Replaces the file by a shorter one, in three steps: a new file beside the old one with its header,
  // into which write_block() writes from now on; the old one's blocks from `offset` on, numbered from
  // `records`, which counts them; the new one in the old one's place. After a failure the old one goes on.
  int begin_replacement();
  int copy_old_blocks(uint64_t offset, uint64_t& records);
  int end_replacement(int error);

  int close();
  // Closes the file and takes it away.
  int remove();
  uint64_t bytes_written() const { return bytes_written_; }

 private:
  size_t compress(const ByteArray& block);
  int write_all(const uint8_t* bytes, size_t size);
  int copy_block(uint64_t& offset, uint64_t& records);

  FileHeader header_;
  ByteArray path_;  // with its NUL
  ByteArray replacement_path_;
  int descriptor_ = -1;
  int old_descriptor_ = -1;
  uint64_t old_bytes_ = 0;
  uint64_t bytes_written_ = 0;
  ZSTD_CCtx_s* compressor_ = nullptr;
  ByteArray compressed_;  // room for the block header, then the compressed payload
};

}  // namespace tauprof::log
