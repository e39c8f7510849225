// The start of a file, by which a format is recognised. It is read as far as somebody asks: most files say what they
// are in their first kilobytes.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "import/byte_source.h"
#include "model/status.h"

namespace tauprof {

class FileStart {
 public:
  Status open(const std::string& path);

  const std::string& path() const { return path_; }
  std::string_view text() const { return text_; }
  std::string_view text_without_space() const;  // nor a byte order mark before it
  // Whether a key or text stands there that is not part of another text, where its quotes would be escaped.
  bool has(std::string_view quoted) const;
  // False: there is no more, or it is too long.
  bool read_more();

 private:
  std::string path_;
  std::unique_ptr<kineto::ByteSource> source_;
  std::string text_;
};

}  // namespace tauprof
