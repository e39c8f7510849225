#include "report/wrapped_text.h"

#include <algorithm>

namespace tauprof {
namespace {

constexpr std::string_view kMore = " ...";

constexpr size_t kLongestUnit = 3;  // "ms", "GiB"

// Whether a number and its unit meet here: "1221 ms".
bool is_inside_quantity(std::string_view text, size_t space) {
  if (text[space] != ' ' || space == 0 || text[space - 1] < '0' || text[space - 1] > '9') return false;
  const size_t end = std::min(text.find_first_of(" ,;.)", space + 1), text.size());
  return end > space + 1 && end - space - 1 <= kLongestUnit;
}

// Words with what separates them from the next: a space, or a comma without one.
std::vector<std::string_view> pieces_of(std::string_view text) {
  std::vector<std::string_view> pieces;
  while (!text.empty()) {
    size_t end = text.find_first_of(" ,");
    while (end != text.npos && is_inside_quantity(text, end)) end = text.find_first_of(" ,", end + 1);
    const size_t length = end == text.npos ? text.size() : end + 1;
    pieces.push_back(text.substr(0, length));
    text.remove_prefix(length);
  }
  return pieces;
}

std::string_view without_space(std::string_view text) {
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

// Where the text of a line of prose begins, behind a label; npos: it is the row of a table, whose columns stand apart.
size_t start_of_prose(std::string_view line) {
  constexpr size_t kLongestLabel = 26;
  const size_t gap = line.rfind("  ");
  const size_t start = gap == line.npos ? 0 : gap + 2;
  return start <= kLongestLabel ? start : line.npos;
}

}  // namespace

size_t columns_of(std::string_view utf8) {
  return static_cast<size_t>(std::count_if(
      utf8.begin(), utf8.end(), [](char byte) { return (static_cast<unsigned char>(byte) & 0xC0) != 0x80; }));
}

size_t lines_in(std::string_view text) { return static_cast<size_t>(std::count(text.begin(), text.end(), '\n')); }

std::string wrapped(std::string_view text, size_t width, size_t indent, size_t most_lines) {
  std::string result, line;
  size_t lines = 1;
  bool is_empty = true;  // of words
  for (const std::string_view piece : pieces_of(text)) {
    const bool is_last = lines == most_lines;
    const size_t room = is_last ? width - std::min(width, kMore.size()) : width;
    if (!is_empty && columns_of(line) + columns_of(without_space(piece)) > room) {
      const bool is_rest = static_cast<size_t>(text.data() + text.size() - piece.data()) + columns_of(line) > width;
      if (is_last && is_rest) return result + std::string(without_space(line)) + std::string(kMore) + "\n";
      if (!is_last) {
        result += std::string(without_space(line)) + "\n";
        line = std::string(indent, ' ');
        ++lines;
      }
    }
    line += piece;
    is_empty = is_empty && piece == " ";
  }
  return result + std::string(without_space(line)) + "\n";
}

std::string with_wrapped_prose(std::string_view text, size_t width) {
  std::string result;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const size_t start = columns_of(line) <= width ? line.npos : start_of_prose(line);
    if (start == line.npos)
      result += std::string(line) + "\n";
    else
      result += wrapped(line, width, start);
  }
  return result;
}

std::string wrapped_items(std::string_view title, const std::vector<std::string>& items, size_t width, size_t indent) {
  constexpr std::string_view kBetween = " · ";
  std::string result, line(title);
  bool is_first = true;
  for (const std::string& item : items) {
    if (!is_first && columns_of(line) + columns_of(kBetween) + columns_of(item) > width) {
      result += wrapped(line, width, indent);
      line = std::string(indent, ' ');
      is_first = true;
    }
    if (!is_first) line += kBetween;
    line += item;
    is_first = false;
  }
  return result + wrapped(line, width, indent);
}

}  // namespace tauprof
