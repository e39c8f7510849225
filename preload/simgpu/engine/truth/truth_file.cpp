#include "simgpu/engine/truth/truth_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace simgpu {
namespace {

constexpr std::size_t kWindow = 1 << 20;  // small, because growing blocks the writer

}  // namespace

bool MappedAppendFile::create(const std::string& path) {
  descriptor_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (descriptor_ < 0) return false;
  window_begin_ = 0;
  used_ = kWindow;
  window_ = nullptr;
  return true;
}

bool MappedAppendFile::append(std::string_view text) {
  while (!text.empty()) {
    if ((window_ == nullptr || used_ == kWindow) && !next_window()) return false;
    const std::size_t part = std::min(text.size(), kWindow - used_);
    std::memcpy(window_ + used_, text.data(), part);
    used_ += part;
    text.remove_prefix(part);
  }
  return true;
}

bool MappedAppendFile::next_window() {
  const std::uint64_t begin = window_ == nullptr ? 0 : window_begin_ + kWindow;
  // Allocates the blocks now: writing to a hole in a mapped file is fatal if the disk is full.
  int error = posix_fallocate(descriptor_, static_cast<off_t>(begin), kWindow);
  void* mapped = MAP_FAILED;
  if (error == 0) {
    mapped = mmap(nullptr, kWindow, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor_, static_cast<off_t>(begin));
    if (mapped == MAP_FAILED) error = errno;
  }
  if (error != 0) {
    close();
    errno = error;
    return false;
  }
  if (window_ != nullptr) munmap(window_, kWindow);
  window_ = static_cast<char*>(mapped);
  window_begin_ = begin;
  used_ = 0;
  return true;
}

void MappedAppendFile::close() {
  if (descriptor_ < 0) return;
  const std::uint64_t length = window_ == nullptr ? 0 : window_begin_ + used_;
  if (window_ != nullptr) munmap(window_, kWindow);
  window_ = nullptr;
  if (ftruncate(descriptor_, static_cast<off_t>(length)) != 0) {
    // Readers skip the NUL bytes at the end.
  }
  ::close(descriptor_);
  descriptor_ = -1;
}

}  // namespace simgpu
