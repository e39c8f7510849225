// A file that is written from its start to its end. The first failure is kept; what follows it is not written.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "model/status.h"

namespace tauprof {

class OutputFile {
 public:
  OutputFile() = default;
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  Status open(const std::string& path);
  void write(std::string_view bytes) {
    buffer_.append(bytes);
    if (buffer_.size() >= kBuffer) flush();
  }
  // Of the whole file: the reason if any of it could not be written.
  Status close();
  // The same so far.
  Status status() const;

 private:
  static constexpr size_t kBuffer = size_t{1} << 20;
  void flush();

  std::string path_;
  std::string buffer_;
  int file_ = -1;
  int error_ = 0;
};

}  // namespace tauprof
