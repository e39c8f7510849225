#include "read/file_window.h"

#include <string.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "model/regular_file.h"

namespace tauprof {
namespace {

constexpr size_t kReadAhead = 256 << 10;

}  // namespace

FileWindow::~FileWindow() {
  if (descriptor_ >= 0) close(descriptor_);
}

Status FileWindow::open(const std::string& path) {
  const Status status = open_regular_file(path, descriptor_, file_bytes_);
  return status.is_ok() ? status : Status::error(path + ": " + status.message() + "; name a log file");
}

Bytes FileWindow::view(uint64_t offset, size_t size) {
  if (offset >= file_bytes_) return {nullptr, 0};
  size = static_cast<size_t>(std::min<uint64_t>(size, file_bytes_ - offset));
  if (offset < start_ || offset + size > start_ + filled_) fill(offset, size);
  const size_t available = start_ + filled_ - offset;
  return {buffer_.get() + (offset - start_), std::min(size, available)};
}

uint64_t FileWindow::find(uint64_t offset, const uint8_t* pattern, size_t pattern_size) {
  while (offset < file_bytes_) {
    const Bytes bytes = view(offset, kReadAhead);
    if (bytes.size < pattern_size) break;
    const void* const found = memmem(bytes.data, bytes.size, pattern, pattern_size);
    if (found != nullptr) return offset + static_cast<uint64_t>(static_cast<const uint8_t*>(found) - bytes.data);
    offset += bytes.size - pattern_size + 1;
  }
  return file_bytes_;
}

void FileWindow::fill(uint64_t offset, size_t size) {
  const size_t wanted = std::max(size, kReadAhead);
  if (wanted > capacity_) {
    buffer_.reset(new uint8_t[wanted]);
    capacity_ = wanted;
  }
  start_ = offset;
  filled_ = 0;
  while (filled_ < wanted) {
    const ssize_t got =
        pread(descriptor_, buffer_.get() + filled_, wanted - filled_, static_cast<off_t>(offset + filled_));
    if (got > 0) {
      filled_ += static_cast<size_t>(got);
    } else if (got == 0 || errno != EINTR) {
      if (got < 0) read_error_ = errno;
      break;
    }
  }
}

}  // namespace tauprof
