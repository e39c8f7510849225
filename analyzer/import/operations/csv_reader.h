// The records of a file of comma-separated values (RFC 4180: fields may be quoted, and may then hold commas, quotes and
// line feeds). Memory is bounded, whatever the size of the file.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "import/byte_source.h"
#include "model/status.h"

namespace tauprof {

class CsvReader {
 public:
  explicit CsvReader(std::unique_ptr<kineto::ByteSource> source) : source_(std::move(source)), text_(kBufferBytes) {}

  // The fields of the next record that is not empty, valid until the next call. False at the end or after a failure.
  bool next(std::vector<std::string_view>& fields);
  const Status& status() const { return status_; }

 private:
  static constexpr size_t kBufferBytes = 1u << 20;  // the longest record

  enum class Outcome : uint8_t { kField, kLastField, kNeedsMore };
  bool read_record(std::vector<std::string_view>& fields);
  bool read_plain_line(std::vector<std::string_view>& fields);
  Outcome read_field(std::string_view& field);
  Outcome read_quoted(std::string_view& field);
  Outcome finish_field(size_t end);
  bool refill();

  std::unique_ptr<kineto::ByteSource> source_;
  std::vector<char> text_;
  std::deque<std::string> unquoted_;  // of the current record
  size_t record_ = 0;                 // where it starts in the text
  size_t position_ = 0;
  size_t size_ = 0;
  bool is_at_end_ = false;
  Status status_;
};

}  // namespace tauprof
