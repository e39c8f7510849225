// The bytes of a trace file in order, inflated where the file is gzip (any number of members).
// Memory is bounded whatever the file's size.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "model/status.h"

namespace tauprof::kineto {

class ByteSource {
 public:
  virtual ~ByteSource() = default;

  static Status open(const std::string& path, std::unique_ptr<ByteSource>& source);

  // Up to `size` bytes (at least one while there are any); 0: the end, or a failure.
  virtual size_t read(char* buffer, size_t size) = 0;

  // Why the bytes ended early; ok when they did not. Never names the file.
  const Status& status() const { return status_; }

 protected:
  Status status_;
};

}  // namespace tauprof::kineto
