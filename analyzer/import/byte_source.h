// The bytes of a trace file in order, inflated if the file is gzip (with any number of members). Memory is bounded,
// whatever the size of the file.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "model/status.h"

namespace tauprof::kineto {

class ByteSource {
 public:
  virtual ~ByteSource() = default;

  // `read_bytes` grows by what is read of the file; null: nobody asks.
  static Status open(const std::string& path, std::unique_ptr<ByteSource>& source,
                     std::atomic<uint64_t>* read_bytes = nullptr);
  // For who reads only the start: no more is inflated than is read.
  static Status open_start(const std::string& path, std::unique_ptr<ByteSource>& source);

  // Reads up to `size` bytes, and at least one unless it returns 0: the end, or a failure.
  virtual size_t read(char* buffer, size_t size) = 0;

  // Whether all of it is at hand, so that no thread needs to read ahead.
  virtual bool is_small() const = 0;

  // Why the bytes ended early; ok if they did not. Does not name the file.
  const Status& status() const { return status_; }

 protected:
  Status status_;
};

}  // namespace tauprof::kineto
