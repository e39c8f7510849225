// Values as rows of tables (table_layout.h).
#pragma once

#include <bit>
#include <cmath>
#include <string>
#include <unordered_map>
#include <vector>

#include "timelines/table_layout.h"

namespace tauprof {

// Texts by number; 0: the empty one.
class TextNumbers {
 public:
  int64_t number_of(const std::string& text) {
    if (text.empty()) return 0;
    const auto [place, is_new] = numbers_.try_emplace(text, static_cast<int64_t>(numbers_.size()) + 1);
    if (is_new) texts_.push_back(&place->first);
    return place->second;
  }
  size_t count() const { return texts_.size(); }
  const std::string& text(size_t number) const { return *texts_[number - 1]; }

 private:
  std::unordered_map<std::string, int64_t> numbers_;
  std::vector<const std::string*> texts_;
};

class TableWriter : public FieldVisitor<TableWriter> {
 public:
  using Columns = std::vector<std::vector<int64_t>>;

  TableWriter(const TableLayout& layout, TextNumbers& texts) : layout_(layout), texts_(texts) {
    for (const TableLayout::Table& table : layout.tables) columns_.emplace_back(table.columns.size());
  }

  // Adds a row to the outermost table.
  template <class T>
  void add(T& value) {
    place_ = {};
    (*this)("", value);
  }

  const Columns& columns_of(size_t table) const { return columns_[table]; }

  template <class T>
  void number(const char*, T& value) {
    put(static_cast<int64_t>(value));
  }
  void real(const char*, double& value) {
    constexpr double kMostWhole = 9007199254740992.0;  // up to here a double holds each whole number
    const bool is_whole =
        std::abs(value) < kMostWhole && value == std::trunc(value) && !(value == 0 && std::signbit(value));
    put(is_whole ? static_cast<int64_t>(value) : 0);
    put(is_whole ? 0 : std::bit_cast<int64_t>(value));
  }
  void text(const char*, std::string& value) { put(texts_.number_of(value)); }
  void since(const char*, Nanoseconds& later, Nanoseconds earlier) {
    put(static_cast<int64_t>(static_cast<uint64_t>(later) - static_cast<uint64_t>(earlier)));
  }
  template <class T>
  void list(const char*, std::vector<T>& values) {
    put(static_cast<int64_t>(values.size()));
    const TablePlace outer = place_;
    const uint32_t table = layout_.tables[outer.table].inner[outer.list];
    for (T& value : values) {
      place_ = {table, 0, 0};
      (*this)("", value);
    }
    place_ = outer;
    ++place_.list;
  }

 private:
  void put(int64_t value) { columns_[place_.table][place_.column++].push_back(value); }

  const TableLayout& layout_;
  TextNumbers& texts_;
  std::vector<Columns> columns_;
  TablePlace place_;
};

}  // namespace tauprof
