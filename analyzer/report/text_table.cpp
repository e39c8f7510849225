#include "report/text_table.h"

#include <algorithm>
#include <utility>

#include "model/terminal_text.h"
#include "report/wrapped_text.h"

namespace tauprof {
namespace {

constexpr size_t kMargin = 2, kBetween = 2;

}  // namespace

void TextTable::row(std::vector<std::string> cells) {
  for (std::string& cell : cells) cell = terminal_text(cell);
  cells.resize(columns_.size());
  rows_.push_back(std::move(cells));
}

std::vector<size_t> TextTable::widths() const {
  std::vector<size_t> widths;
  for (size_t i = 0; i < columns_.size(); ++i) {
    size_t width = columns_of(columns_[i].head);
    for (const auto& cells : rows_) width = std::max(width, columns_of(cells[i]));
    widths.push_back(width);
  }
  return widths;
}

bool TextTable::knows(size_t column) const {
  return std::any_of(rows_.begin(), rows_.end(),
                     [&](const std::vector<std::string>& cells) { return cells[column] != "-"; });
}

std::string TextTable::line(const std::vector<std::string>& cells, const std::vector<size_t>& widths,
                            const std::vector<bool>& is_shown) const {
  std::string text(kMargin, ' ');
  bool is_first = true;
  for (size_t i = 0; i < cells.size(); ++i) {
    if (!is_shown[i]) continue;
    if (!is_first) text += std::string(kBetween, ' ');
    const std::string gap(widths[i] - columns_of(cells[i]), ' ');
    text += columns_[i].is_left ? cells[i] + gap : gap + cells[i];
    is_first = false;
  }
  while (text.ends_with(' ')) text.pop_back();
  return text + "\n";
}

std::string TextTable::text(size_t width) const {
  const std::vector<size_t> widths = this->widths();
  std::vector<bool> is_shown(columns_.size());
  size_t total = kMargin;
  int most = 0;
  for (size_t i = 0; i < columns_.size(); ++i) {
    is_shown[i] = knows(i);
    if (is_shown[i]) total += widths[i] + kBetween;
    most = std::max(most, columns_[i].goes);
  }
  for (int next = 1; next <= most && total > width + kBetween; ++next)
    for (size_t i = 0; i < columns_.size(); ++i)
      if (is_shown[i] && columns_[i].goes == next) {
        is_shown[i] = false;
        total -= widths[i] + kBetween;
      }
  std::vector<std::string> heads;
  for (const Column& column : columns_) heads.push_back(column.head);
  std::string text = line(heads, widths, is_shown);
  for (const auto& cells : rows_) text += line(cells, widths, is_shown);
  return text;
}

}  // namespace tauprof
