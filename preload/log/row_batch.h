// The rows of one kind that wait to be written, column by column.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

namespace tauprof::log {

class RowBatch {
 public:
  static constexpr uint32_t kMost = 16384;  // rows of one block
  static constexpr uint32_t kFewest = 64;   // rows that there is room for at first

  ~RowBatch() { free(values_); }

  // Bytes for so many rows.
  static constexpr size_t bytes(uint16_t columns, uint32_t rows) {
    return rows == 0 ? 0 : size_t{columns} * stride(rows) * sizeof(int64_t);
  }

  // Makes room for twice as many rows. False: memory is short.
  bool grow(uint16_t columns) {
    const uint32_t larger = room_ == 0 ? kFewest : room_ * 2;
    auto* const values = static_cast<int64_t*>(malloc(bytes(columns, larger)));
    if (values == nullptr) return false;
    for (uint16_t i = 0; i < columns && rows_ != 0; ++i)
      memcpy(values + size_t{i} * stride(larger), column(i), rows_ * sizeof(int64_t));
    free(values_);
    values_ = values;
    room_ = larger;
    return true;
  }
  uint32_t room() const { return room_; }
  bool is_full() const { return rows_ == room_; }

  // Must not be full.
  void add(const int64_t* row, uint16_t columns) {
    int64_t* cell = values_ + rows_;
    for (uint16_t i = 0; i < columns; ++i, cell += stride(room_)) *cell = row[i];
    ++rows_;
  }

  uint32_t rows() const { return rows_; }
  const int64_t* column(uint16_t number) const { return values_ + size_t{number} * stride(room_); }
  void clear() { rows_ = 0; }

 private:
  // The distance between the columns. A power of two would put the same row of every column into one cache set.
  static constexpr size_t stride(uint32_t rows) { return rows + 8; }

  int64_t* values_ = nullptr;
  uint32_t rows_ = 0;
  uint32_t room_ = 0;
};

}  // namespace tauprof::log
