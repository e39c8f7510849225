// A table that fits the terminal: columns are as wide as their cells. Those of which nothing is known are left out, and
// where the others are too wide, some go, the least important first.
#pragma once

#include <string>
#include <vector>

namespace tauprof {

class TextTable {
 public:
  struct Column {
    std::string head;
    bool is_left = false;  // else its cells stand at its right edge
    int goes = 0;          // 1: the first to go; 0: it stays
  };

  explicit TextTable(std::vector<Column> columns) : columns_(std::move(columns)) {}

  // Cells may come from a log.
  void row(std::vector<std::string> cells);
  std::string text(size_t width) const;

 private:
  std::vector<size_t> widths() const;
  bool knows(size_t column) const;
  std::string line(const std::vector<std::string>& cells, const std::vector<size_t>& widths,
                   const std::vector<bool>& is_shown) const;

  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace tauprof
