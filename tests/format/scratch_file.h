// A file that exists as long as its test, which may change its content.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

namespace tauprof {

using ByteVector = std::vector<uint8_t>;

inline ByteVector read_bytes(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

class ScratchFile {
 public:
  ScratchFile() {
    char path[] = "/tmp/tauprof-test-XXXXXX";
    descriptor_ = mkstemp(path);
    if (descriptor_ < 0) throw std::runtime_error("cannot make a file in /tmp");
    path_ = path;
  }
  ~ScratchFile() {
    close(descriptor_);
    unlink(path_.c_str());
  }
  ScratchFile(const ScratchFile&) = delete;
  ScratchFile& operator=(const ScratchFile&) = delete;

  const std::string& path() const { return path_; }

  void write(const ByteVector& bytes) {
    truncate(0);
    if (pwrite(descriptor_, bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
      throw std::runtime_error("cannot write " + path_);
  }
  void set_byte(size_t offset, uint8_t value) {
    if (pwrite(descriptor_, &value, 1, static_cast<off_t>(offset)) != 1)
      throw std::runtime_error("cannot write " + path_);
  }
  void truncate(size_t size) {
    if (ftruncate(descriptor_, static_cast<off_t>(size)) != 0) throw std::runtime_error("cannot truncate " + path_);
  }

  // Removes the file and returns its path, for a writer that creates it.
  const std::string& vacate() {
    unlink(path_.c_str());
    return path_;
  }

 private:
  std::string path_;
  int descriptor_ = -1;
};

}  // namespace tauprof
