// Tables of a run, for formats that hold tables: what they are called, what their columns mean, and where rows go.
#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "model/terminal_text.h"

namespace tauprof {

enum class ColumnType : uint8_t {
  kKey,  // an integer that no other row has
  kInteger,
  kReal,
  kText,
};

struct TableColumn {
  std::string_view name;
  ColumnType type;
  std::string_view meaning;
};

struct Table {
  std::string_view name;
  std::string_view meaning;
  std::span<const TableColumn> columns;
};

// A value of a row. Refers to its text.
class Cell {
 public:
  Cell(std::nullopt_t) {}
  Cell(std::integral auto number) : value_(static_cast<int64_t>(number)) {}
  Cell(double number) : value_(number) {}
  Cell(std::string_view text) : value_(text) {}
  Cell(const std::string& text) : value_(std::string_view(text)) {}
  Cell(const char*) = delete;  // an address would be a number
  template <class Value>
  Cell(const std::optional<Value>& value) {
    if (value) *this = Cell(*value);
  }

  const std::variant<std::monostate, int64_t, double, std::string_view>& value() const { return value_; }

 private:
  std::variant<std::monostate, int64_t, double, std::string_view> value_;
};

using Row = std::initializer_list<Cell>;

class TableSink {
 public:
  virtual ~TableSink() = default;
  // `table` is one of run_tables(); the row has a cell for each of its columns. Failures are kept for later.
  virtual void add(const Table& table, Row row) = 0;
};

// Texts in tables: UTF-8 without the character 0, at which many readers end a text.
inline std::string table_text(std::string_view text) {
  std::string clean = valid_utf8(text);
  for (size_t at = 0; (at = clean.find('\0', at)) != std::string::npos;) clean.replace(at, 1, "\ufffd");
  return clean;
}

}  // namespace tauprof
