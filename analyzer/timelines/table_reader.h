// Rows of tables as values again (table_layout.h). The rows are bytes that anybody may have written: no number in them
// sizes memory beyond the rows that are there, and what does not fit ends the reading.
#pragma once

#include <bit>
#include <limits>
#include <string>
#include <vector>

#include "read/record_block.h"
#include "timelines/table_layout.h"

namespace tauprof {

// The rows of one table, block after block.
class TableRows {
 public:
  void add(const RecordBlock& block) {
    blocks_.push_back(block);
    rows_ += block.records();
  }
  uint64_t left() const { return rows_ - taken_; }
  // Goes to the first row, then to the next one, which must be there.
  void advance() {
    ++taken_;
    if (block_ < blocks_.size() && taken_ > 1 && ++row_ == blocks_[block_].records()) {
      ++block_, row_ = 0;
      columns_.clear();
    }
  }
  int64_t value(uint32_t column) {
    while (columns_.size() <= column)
      columns_.push_back(blocks_[block_].column(static_cast<uint16_t>(columns_.size())));
    return columns_[column][row_];
  }

 private:
  std::vector<RecordBlock> blocks_;
  std::vector<Column> columns_;  // of the block that the row is in, as far as they were asked for
  uint64_t rows_ = 0, taken_ = 0;
  size_t block_ = 0;
  uint32_t row_ = 0;
};

class TableReader : public FieldVisitor<TableReader> {
 public:
  // `texts`: by their numbers, from 1.
  TableReader(const TableLayout& layout, std::vector<TableRows>& rows, const std::vector<std::string>& texts)
      : layout_(layout), rows_(rows), texts_(texts) {}

  // Takes a row of the outermost table. False: the tables do not fit together.
  template <class T>
  bool take(T& value) {
    if (rows_[0].left() == 0) return false;
    enter(0);
    (*this)("", value);
    return !has_failed_;
  }

  // Whether all rows have been taken.
  bool is_complete() const {
    for (const TableRows& rows : rows_)
      if (rows.left() != 0) return false;
    return !has_failed_;
  }

  template <class T>
  void number(const char*, T& value) {
    const int64_t stored = get();
    if constexpr (std::is_enum_v<T>) {
      if (static_cast<uint64_t>(stored) > last_of(T{})) return fail();
      value = static_cast<T>(stored);
    } else if constexpr (std::same_as<T, bool>) {
      value = stored != 0;
    } else {
      if constexpr (sizeof(T) < sizeof stored)
        if (stored < static_cast<int64_t>(std::numeric_limits<T>::min()) ||
            stored > static_cast<int64_t>(std::numeric_limits<T>::max()))
          return fail();
      value = static_cast<T>(stored);
    }
  }
  void real(const char*, double& value) {
    const int64_t whole = get(), bits = get();
    value = bits == 0 ? static_cast<double>(whole) : std::bit_cast<double>(bits);
  }
  void text(const char*, std::string& value) {
    const auto number = static_cast<uint64_t>(get());
    if (number > texts_.size()) return fail();
    value = number == 0 ? std::string() : texts_[number - 1];
  }
  void since(const char*, Nanoseconds& later, Nanoseconds earlier) {
    later = static_cast<Nanoseconds>(static_cast<uint64_t>(get()) + static_cast<uint64_t>(earlier));
  }
  template <class T>
  void list(const char*, std::vector<T>& values) {
    const auto size = static_cast<uint64_t>(get());
    values.clear();
    if (has_failed_) return;
    const TablePlace outer = place_;
    const uint32_t table = layout_.tables[outer.table].inner[outer.list];
    if (size > rows_[table].left()) return fail();
    values.resize(size);
    for (T& value : values) {
      enter(table);
      (*this)("", value);
      if (has_failed_) return;
    }
    place_ = outer;
    ++place_.list;
  }

 private:
  void enter(uint32_t table) {
    place_ = {table, 0, 0};
    rows_[table].advance();
  }
  int64_t get() { return has_failed_ ? 0 : rows_[place_.table].value(place_.column++); }
  void fail() { has_failed_ = true; }

  const TableLayout& layout_;
  std::vector<TableRows>& rows_;
  const std::vector<std::string>& texts_;
  TablePlace place_;
  bool has_failed_ = false;
};

}  // namespace tauprof
