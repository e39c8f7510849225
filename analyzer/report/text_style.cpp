#include "report/text_style.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace tauprof {
namespace {

constexpr std::string_view kBold = "\x1b[1m", kRed = "\x1b[31m", kYellow = "\x1b[33m", kGreen = "\x1b[32m",
                           kPlain = "\x1b[0m";

constexpr std::array<std::pair<std::string_view, std::string_view>, 5> kMarks = {{
    {"[critical]", kRed},
    {"[warning]", kYellow},
    {"FAIL ", kRed},
    {"fail ", kRed},
    {"ok ", kGreen},
}};

// The words in capitals with which a section starts: "WHERE THE TIME GOES". Lines that go on are indented.
size_t title_length(std::string_view line) {
  if (line.starts_with(' ')) return 0;
  size_t end = 0;
  while (end < line.size() && ((line[end] >= 'A' && line[end] <= 'Z') || line[end] == ' ')) ++end;
  while (end > 0 && line[end - 1] == ' ') --end;
  return end < 3 || (end < line.size() && line[end] != ' ') ? 0 : end;
}

void paint_marks(std::string& line) {
  for (const auto& [mark, colour] : kMarks) {
    const std::string painted = std::string(colour) + std::string(mark) + std::string(kPlain);
    for (size_t at = line.find(mark); at != line.npos; at = line.find(mark, at + painted.size())) {
      if (at > 0 && line[at - 1] != ' ') {
        ++at;
        continue;
      }
      line.replace(at, mark.size(), painted);
    }
  }
}

}  // namespace

std::string coloured(const std::string& text) {
  std::string result;
  bool is_of_checks = false;
  for (size_t start = 0; start < text.size();) {
    const size_t end = std::min(text.find('\n', start), text.size());
    std::string line = text.substr(start, end - start);
    start = end + 1;
    const size_t title = title_length(line);
    const std::string head = title > 0 ? std::string(kBold) + line.substr(0, title) + std::string(kPlain) : "";
    line.erase(0, title);
    is_of_checks = head.find("CHECKS") != head.npos || (is_of_checks && line.starts_with("    "));
    if (is_of_checks || line.starts_with("  [") || line.starts_with("  fail ")) paint_marks(line);
    result += head + line + "\n";
  }
  return result;
}

}  // namespace tauprof
