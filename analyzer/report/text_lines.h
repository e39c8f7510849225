// The lines of a section of the text report.
#pragma once

#include <fmt/format.h>

#include <iterator>
#include <string>
#include <type_traits>
#include <utility>

#include "model/terminal_text.h"

namespace tauprof {

class TextLines {
 public:
  // Texts among the values may come from a log. The line feeds of the report itself stand in `format`.
  template <class... Values>
  void line(fmt::format_string<Values...> format, Values&&... values) {
    text_ += fmt::format(fmt::runtime(fmt::string_view(format)), for_terminal(values)...);
    text_ += '\n';
  }
  // Says how many of `count` entries a table leaves out that shows `most`; nothing if it shows all.
  void left_out(size_t count, size_t most) {
    if (count > most) line("  ... {} more in the JSON report", count - most);
  }
  std::string take() { return std::move(text_); }

 private:
  template <class Value>
  static decltype(auto) for_terminal(const Value& value) {
    if constexpr (std::is_same_v<Value, std::string>)
      return terminal_text(value);
    else
      return value;
  }

  std::string text_;
};

}  // namespace tauprof
