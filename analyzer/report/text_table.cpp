#include "report/text_table.h"

#include <algorithm>
#include <utility>

#include "model/terminal_text.h"
#include "report/distinct_names.h"
#include "report/text_values.h"
#include "report/wrapped_text.h"

namespace tauprof {
namespace {

constexpr size_t kMargin = 2, kBetween = 2;
constexpr size_t kLeastText = 16;      // columns of a text, before columns go for it
constexpr size_t kNarrowestText = 10;  // once none is left that may go

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  for (size_t start = 0; start < text.size();) {
    const size_t end = std::min(text.find('\n', start), text.size());
    lines.emplace_back(text.substr(start, end - start));
    start = end + 1;
  }
  return lines;
}

// The lines of a cell beside each other's: with as many as the longest cell of its row has.
std::string side_by_side(const std::vector<TextTable::Column>& columns, const std::vector<bool>& is_shown,
                         const std::vector<size_t>& widths, const std::vector<std::vector<std::string>>& cells) {
  size_t height = 1;
  for (size_t i = 0; i < cells.size(); ++i)
    if (is_shown[i]) height = std::max(height, cells[i].size());
  std::string text;
  for (size_t k = 0; k < height; ++k) {
    std::string line(kMargin, ' ');
    for (size_t i = 0; i < cells.size(); ++i) {
      if (!is_shown[i]) continue;
      if (line.size() > kMargin) line += std::string(kBetween, ' ');
      const std::string cell = k < cells[i].size() ? cells[i][k] : std::string();
      const std::string gap(widths[i] - std::min(widths[i], columns_of(cell)), ' ');
      line += columns[i].is_left ? cell + gap : gap + cell;
    }
    while (line.ends_with(' ')) line.pop_back();
    text += line + "\n";
  }
  return text;
}

}  // namespace

struct TextTable::Layout {
  std::vector<bool> is_shown;
  std::vector<size_t> widths;

  size_t total() const {
    size_t sum = kMargin, count = 0;
    for (size_t i = 0; i < widths.size(); ++i)
      if (is_shown[i]) sum += widths[i] + (count++ > 0 ? kBetween : 0);
    return sum;
  }
};

void TextTable::row(std::vector<std::string> cells) {
  for (std::string& cell : cells) cell = terminal_text(cell);
  cells.resize(columns_.size());
  rows_.push_back(std::move(cells));
}

size_t TextTable::natural_width(size_t column) const {
  size_t width = columns_of(columns_[column].head);
  for (const auto& cells : rows_) width = std::max(width, columns_of(cells[column]));
  return width;
}

bool TextTable::knows(size_t column) const {
  return std::any_of(rows_.begin(), rows_.end(), [&](const std::vector<std::string>& cells) {
    return cells[column] != "-" && !cells[column].empty();
  });
}

TextTable::Layout TextTable::layout(size_t width) const {
  Layout layout{std::vector<bool>(columns_.size()), std::vector<size_t>(columns_.size())};
  std::vector<size_t> natural(columns_.size());
  int most = 0;
  for (size_t i = 0; i < columns_.size(); ++i) {
    natural[i] = natural_width(i);
    const bool is_whole = columns_[i].fit == Fit::kWhole;
    layout.widths[i] = is_whole ? natural[i] : std::min(natural[i], std::max(kLeastText, columns_of(columns_[i].head)));
    layout.is_shown[i] = knows(i);
    most = std::max(most, columns_[i].goes);
  }
  for (int next = 1; next <= most && layout.total() > width; ++next)
    for (size_t i = 0; i < columns_.size(); ++i)
      if (columns_[i].goes == next) layout.is_shown[i] = false;
  // Spare room goes to the narrowest text that is not whole yet; missing room comes from the widest.
  while (layout.total() != width) {
    const bool is_room = layout.total() < width;
    size_t* chosen = nullptr;
    for (size_t i = 0; i < columns_.size(); ++i) {
      size_t& now = layout.widths[i];
      if (!layout.is_shown[i] || columns_[i].fit == Fit::kWhole) continue;
      if (is_room ? now >= natural[i] : now <= std::max(kNarrowestText, columns_of(columns_[i].head))) continue;
      if (chosen == nullptr || (is_room ? now < *chosen : now > *chosen)) chosen = &now;
    }
    if (chosen == nullptr) break;
    *chosen += is_room ? 1 : -1;
  }
  return layout;
}

// For each row the lines of its cell.
std::vector<std::vector<std::string>> TextTable::lines_of_column(size_t column, size_t width) const {
  std::vector<std::string> cells;
  for (const auto& row : rows_) cells.push_back(row[column]);
  const Fit fit = columns_[column].fit;
  if (fit == Fit::kName) cells = distinct_texts(cells, width);
  std::vector<std::vector<std::string>> lines;
  for (const std::string& cell : cells)
    lines.push_back(fit == Fit::kWraps  ? lines_of(wrapped(cell, width, 0))
                    : fit == Fit::kPath ? std::vector{shortened_front(cell, width)}
                                        : std::vector{cell});
  return lines;
}

std::string TextTable::text(size_t width) const {
  const Layout layout = this->layout(width);
  std::vector<std::vector<std::string>> heads;
  std::vector<std::vector<std::vector<std::string>>> columns;
  for (size_t i = 0; i < columns_.size(); ++i) {
    heads.push_back({columns_[i].head});
    columns.push_back(layout.is_shown[i] ? lines_of_column(i, layout.widths[i])
                                         : std::vector<std::vector<std::string>>(rows_.size()));
  }
  const bool has_heads = std::any_of(columns_.begin(), columns_.end(), [](const Column& c) { return !c.head.empty(); });
  std::string text = has_heads ? side_by_side(columns_, layout.is_shown, layout.widths, heads) : std::string();
  for (size_t row = 0; row < rows_.size(); ++row) {
    std::vector<std::vector<std::string>> cells;
    for (const auto& column : columns) cells.push_back(column[row]);
    text += side_by_side(columns_, layout.is_shown, layout.widths, cells);
  }
  return text;
}

}  // namespace tauprof
