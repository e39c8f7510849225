// A file read through a buffer that moves over it. Unlike a mapping, it survives files that shrink while they are read
// and disks that fail, and it needs little memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "model/status.h"

namespace tauprof {

struct Bytes {
  const uint8_t* data;
  size_t size;
};

class FileWindow {
 public:
  FileWindow() = default;
  ~FileWindow();
  FileWindow(const FileWindow&) = delete;
  FileWindow& operator=(const FileWindow&) = delete;

  Status open(const std::string& path);
  uint64_t file_bytes() const { return file_bytes_; }

  // Up to `size` bytes from `offset`, fewer at the end of the file or where it cannot be read. Valid until the next
  // call.
  Bytes view(uint64_t offset, size_t size);

  // Where `pattern` first occurs at or after `offset`; file_bytes(): nowhere.
  uint64_t find(uint64_t offset, const uint8_t* pattern, size_t pattern_size);

  int read_error() const { return read_error_; }  // errno of the latest failed read; 0: none failed

 private:
  void fill(uint64_t offset, size_t size);

  int descriptor_ = -1;
  uint64_t file_bytes_ = 0;
  uint64_t start_ = 0;  // offset of the buffer in the file
  size_t filled_ = 0;
  size_t capacity_ = 0;
  std::unique_ptr<uint8_t[]> buffer_;
  int read_error_ = 0;
};

}  // namespace tauprof
