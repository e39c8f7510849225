// The columns of one decoded block, in buffers that are reused for the next block.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "log/format.h"
#include "read/column.h"
#include "read/column_decoder.h"

namespace tauprof {

class DecodedBlock {
 public:
  // Memory for the raw payload, which the caller fills before decode().
  uint8_t* raw(uint32_t size);

  // Decodes the columns below `known_columns` of the raw payload. Returns null, or what is wrong.
  const char* decode(const log::BlockHeader& header, uint16_t known_columns);

  Column column(uint16_t number) const { return number < columns_.size() ? columns_[number] : kMissing; }
  std::string_view text(uint32_t row) const;

 private:
  template <class T>
  struct Buffer {
    std::unique_ptr<T[]> values;
    size_t capacity = 0;
    T* grow(size_t size);
  };

  static constexpr int64_t kZero = 0;
  static constexpr Column kMissing = {&kZero, 0};

  void forget(uint16_t columns);
  const char* decode_column(const log::ColumnHeader& header, Bytes bytes);
  const char* decode_text_column(const log::ColumnHeader& header, Bytes bytes);

  uint32_t rows_ = 0;
  Buffer<uint8_t> raw_;
  // By number; as many as the widest block so far had.
  std::vector<Column> columns_;
  std::vector<bool> is_present_;
  std::vector<int64_t> constants_;
  std::vector<Buffer<int64_t>> values_;
  Buffer<uint32_t> text_ends_;
  Bytes text_{nullptr, 0};
  bool has_text_ = false;
};

}  // namespace tauprof
