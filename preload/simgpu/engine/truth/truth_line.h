// Builds one line of the truth: fields separated by tabs.
#pragma once

#include <charconv>
#include <concepts>
#include <string>
#include <string_view>

namespace simgpu {

class TruthLine {
 public:
  explicit TruthLine(std::string_view kind) {
    text_.reserve(320);
    text_.append(kind);
  }

  template <std::integral Number>
  TruthLine& add(Number value) {
    text_.push_back('\t');
    append_number(value);
    return *this;
  }

  TruthLine& add(std::string_view text) {
    text_.push_back('\t');
    for (const char c : text) append_escaped(c);
    return *this;
  }

  // A field in parts: `begin_field`, then any number of the others.
  TruthLine& begin_field() {
    text_.push_back('\t');
    return *this;
  }
  template <std::integral Number>
  TruthLine& append_number(Number value) {
    char digits[24];
    const auto result = std::to_chars(digits, digits + sizeof digits, value);
    text_.append(digits, result.ptr);
    return *this;
  }
  TruthLine& append_text(std::string_view text) {
    text_.append(text);
    return *this;
  }

  std::string_view finish() {
    text_.push_back('\n');
    return text_;
  }

 private:
  void append_escaped(char c) {
    switch (c) {
      case '\t':
        text_.append("\\t");
        break;
      case '\n':
        text_.append("\\n");
        break;
      case '\\':
        text_.append("\\\\");
        break;
      default:
        text_.push_back(c);
    }
  }

  std::string text_;
};

}  // namespace simgpu
