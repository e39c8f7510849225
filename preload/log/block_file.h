// The file that a writer writes: a header and blocks, compressed where that pays, with checksums.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "log/format.h"
#include "log/own_file.h"
#include "log/raw_array.h"

struct ZSTD_CCtx_s;

namespace tauprof::log {

class BlockFile {
 public:
  BlockFile() = default;
  ~BlockFile();
  BlockFile(const BlockFile&) = delete;
  BlockFile& operator=(const BlockFile&) = delete;

  // Creates the file, which must not exist, and writes the header. If that fails, no file is left. This and the
  // functions below return 0 or errno.
  int create(const char* path, const FileHeader& description);

  // Writes the name of the run into the header later.
  int set_run_id(const char* run_id);

  // `block` starts with room for the block header; the payload follows. Fills in sizes, compression and checksums.
  // After a failed write, the file ends with the last whole block.
  int write_block(const BlockHeader& description, ByteArray& block);

  // Replaces the file by a shorter one, in three steps. start_replacement() creates a new file beside the old one and
  // writes its header; write_block() writes to the new file from now on. copy_old_blocks() copies the old blocks from
  // `offset` on and numbers their records from `records`, which it increases. finish_replacement() puts the new file in
  // the place of the old one, or, if `error` is not 0 or the renaming fails, goes back to the old file.
  int start_replacement();
  int copy_old_blocks(uint64_t offset, uint64_t& records);
  int finish_replacement(int error);

  // Whether the file is still where it was made: see OwnFile::look().
  int look() const { return file_.look(); }
  int close() { return file_.close(); }
  // Closes and deletes the file.
  int remove() { return file_.remove(); }
  uint64_t bytes_written() const { return bytes_written_; }

 private:
  size_t compress(const ByteArray& block);
  int write_all(const uint8_t* bytes, size_t size);
  int copy_block(uint64_t& offset, uint64_t& records);
  int create_beside(OwnFile& file) const;

  FileHeader header_;
  ByteArray path_;  // including the NUL
  OwnFile file_;
  OwnFile old_file_;  // while it is being replaced
  uint64_t old_bytes_ = 0;
  uint64_t bytes_written_ = 0;
  ZSTD_CCtx_s* compressor_ = nullptr;
  ByteArray compressed_;  // room for the block header, then the compressed payload
};

}  // namespace tauprof::log
