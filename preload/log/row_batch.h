// The rows of one kind that wait to be written, column by column.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

namespace tauprof::log {

class RowBatch {
 public:
  static constexpr uint32_t kMost = 16384;  // this many fill a block

  ~RowBatch() { free(values_); }

  bool init(uint16_t columns) {
    values_ = static_cast<int64_t*>(malloc(size_t{columns} * kColumnStride * sizeof(int64_t)));
    return values_ != nullptr;
  }
  bool is_ready() const { return values_ != nullptr; }

  void add(const int64_t* row, uint16_t columns) {
    int64_t* cell = values_ + rows_;
    for (uint16_t column = 0; column < columns; ++column, cell += kColumnStride) *cell = row[column];
    ++rows_;
  }

  uint32_t rows() const { return rows_; }
  const int64_t* column(uint16_t number) const { return values_ + size_t{number} * kColumnStride; }
  void clear() { rows_ = 0; }

 private:
  // The distance between the columns. A power of two would put the same row of every column into one cache set.
  static constexpr uint32_t kColumnStride = kMost + 8;

  int64_t* values_ = nullptr;
  uint32_t rows_ = 0;
};

}  // namespace tauprof::log
