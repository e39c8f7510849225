#include "import/json_text.h"

#include <algorithm>
#include <cstdint>

namespace tauprof::kineto {
namespace {

constexpr uint32_t kReplacement = 0xFFFD;

void append_utf8(std::string& text, uint32_t code) {
  const auto tail = [&](int shift) { text += static_cast<char>(0x80 | (code >> shift & 0x3f)); };
  if (code < 0x80) {
    text += static_cast<char>(code);
  } else if (code < 0x800) {
    text += static_cast<char>(0xc0 | code >> 6);
    tail(0);
  } else if (code < 0x10000) {
    text += static_cast<char>(0xe0 | code >> 12);
    tail(6);
    tail(0);
  } else {
    text += static_cast<char>(0xf0 | code >> 18);
    tail(12);
    tail(6);
    tail(0);
  }
}

// Reads the four hex digits at `position`. False: there are none.
bool hex4(std::string_view raw, size_t position, uint32_t& code) {
  if (position + 4 > raw.size()) return false;
  code = 0;
  for (char c : raw.substr(position, 4)) {
    const char lower = static_cast<char>(c | 0x20);
    if (c >= '0' && c <= '9')
      code = code << 4 | static_cast<uint32_t>(c - '0');
    else if (lower >= 'a' && lower <= 'f')
      code = code << 4 | static_cast<uint32_t>(lower - 'a' + 10);
    else
      return false;
  }
  return true;
}

// Reads the code point of the `\u` at `position`, or of two for a surrogate pair. Returns how many bytes it used.
size_t code_point(std::string_view raw, size_t position, uint32_t& code) {
  uint32_t low = 0;
  if (!hex4(raw, position + 2, code)) return 0;
  if (code < 0xd800 || code > 0xdfff) return 6;
  const bool is_pair = code < 0xdc00 && raw.substr(position + 6, 2) == "\\u" && hex4(raw, position + 8, low) &&
                       low >= 0xdc00 && low <= 0xdfff;
  code = is_pair ? 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00) : kReplacement;
  return is_pair ? 12 : 6;
}

char single(char escaped) {
  switch (escaped) {
    case 'b':
      return '\b';
    case 'f':
      return '\f';
    case 'n':
      return '\n';
    case 'r':
      return '\r';
    case 't':
      return '\t';
    case '"':
    case '\\':
    case '/':
      return escaped;
    default:
      return '\0';
  }
}

}  // namespace

std::string unescape(std::string_view raw) {
  std::string text;
  text.reserve(raw.size());
  for (size_t position = 0; position < raw.size();) {
    const size_t backslash = std::min(raw.find('\\', position), raw.size());
    text.append(raw, position, backslash - position);
    position = backslash;
    if (position + 1 >= raw.size()) {
      text.append(raw, position);
      break;
    }
    uint32_t code = 0;
    if (const size_t used = raw[position + 1] == 'u' ? code_point(raw, position, code) : 0; used > 0) {
      append_utf8(text, code);
      position += used;
    } else if (const char plain = single(raw[position + 1]); plain != '\0') {
      text += plain;
      position += 2;
    } else {
      text += '\\';
      ++position;
    }
  }
  return text;
}

}  // namespace tauprof::kineto
