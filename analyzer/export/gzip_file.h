// A gzip file that is written from its start to its end. The first failure is kept; what follows it is not written.
#pragma once

#include <string>
#include <string_view>

#include "export/output_file.h"
#include "model/status.h"

struct z_stream_s;

namespace tauprof {

class GzipFile {
 public:
  GzipFile() = default;
  ~GzipFile();
  GzipFile(const GzipFile&) = delete;
  GzipFile& operator=(const GzipFile&) = delete;

  Status open(const std::string& path);
  void write(std::string_view text) {
    buffer_.append(text);
    if (buffer_.size() >= kBuffer) compress(false);
  }
  Status status() const { return file_.status(); }
  Status close();

 private:
  static constexpr size_t kBuffer = size_t{1} << 18;
  void compress(bool is_last);
  void free_stream();

  OutputFile file_;
  std::string buffer_;
  z_stream_s* stream_ = nullptr;
};

}  // namespace tauprof
