// Builds one line of JSON. Keys and texts must need no escaping.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tauprof::generator {

class JsonLine {
 public:
  JsonLine() : text_("{") {}
  explicit JsonLine(std::string_view kind) : text_("{") { add("kind", kind); }

  JsonLine& add(std::string_view key, std::string_view value) {
    add_key(key);
    text_.append("\"").append(value).append("\"");
    return *this;
  }
  JsonLine& add(std::string_view key, int64_t value) {
    add_key(key);
    text_.append(std::to_string(value));
    return *this;
  }
  JsonLine& add_flag(std::string_view key, bool value) {
    add_key(key);
    text_.append(value ? "true" : "false");
    return *this;
  }
  // null instead of `absent`.
  JsonLine& add_unless(std::string_view key, int64_t value, int64_t absent) {
    if (value != absent) return add(key, value);
    add_key(key);
    text_.append("null");
    return *this;
  }
  JsonLine& add_raw(std::string_view key, std::string_view json) {
    add_key(key);
    text_.append(json);
    return *this;
  }
  std::string braces() const { return text_ + "}"; }

 private:
  void add_key(std::string_view key) {
    if (text_.size() > 1) text_.append(",");
    text_.append("\"").append(key).append("\":");
  }
  std::string text_;
};

}  // namespace tauprof::generator
