// The lines of a section of the text report.
#pragma once

#include <fmt/format.h>

#include <iterator>
#include <string>
#include <utility>

namespace tauprof {

class TextLines {
 public:
  template <class... Values>
  void line(fmt::format_string<Values...> format, Values&&... values) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Values>(values)...);
    text_ += '\n';
  }
  // Says how many of `count` entries a table leaves out that shows `most`; nothing if it shows all.
  void left_out(size_t count, size_t most) {
    if (count > most) line("  ... {} more in the JSON report", count - most);
  }
  std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

}  // namespace tauprof
