// A table that fits the terminal: columns are as wide as their cells. Those of which nothing is known are left out.
// Where the others are too wide, texts are shortened or broken; if that does not do, columns go, the least important
// first.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace tauprof {

// How a cell that is wider than its column is cut.
enum class Fit {
  kWhole,  // it never is
  kName,   // its middle is left out; different names still differ
  kPath,   // its start is left out
  kWraps,  // it goes on in the next line
};

class TextTable {
 public:
  struct Column {
    std::string head;
    bool is_left = false;  // else its cells stand at its right edge
    int goes = 0;          // 1: the first to go; 0: it stays
    Fit fit = Fit::kWhole;
  };

  explicit TextTable(std::vector<Column> columns) : columns_(std::move(columns)) {}

  // Cells may come from a log. "-" and an empty one say that nothing is known.
  void row(std::vector<std::string> cells);
  bool is_empty() const { return rows_.empty(); }
  std::string text(size_t width) const;

 private:
  struct Layout;
  Layout layout(size_t width) const;
  size_t natural_width(size_t column) const;
  bool knows(size_t column) const;
  std::vector<std::vector<std::string>> lines_of_column(size_t column, size_t width) const;

  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace tauprof
