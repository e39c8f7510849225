#include "model/terminal_text.h"

#include <cstdint>
#include <cstdio>

namespace tauprof {
namespace {

// The character at the start of `text` and its length; length 0: no UTF-8.
struct Character {
  uint32_t code = 0;
  size_t length = 0;
};

Character first_character(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text.front());
  const size_t length = lead < 0x80 ? 1 : lead >> 5 == 0x6 ? 2 : lead >> 4 == 0xE ? 3 : lead >> 3 == 0x1E ? 4 : 0;
  if (length == 0 || length > text.size()) return {};
  uint32_t code = length == 1 ? lead : lead & (0x7Fu >> length);
  for (size_t i = 1; i < length; ++i) {
    const auto next = static_cast<unsigned char>(text[i]);
    if (next >> 6 != 0x2) return {};
    code = code << 6 | (next & 0x3Fu);
  }
  static constexpr uint32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool is_good = code >= kLeast[length] && code <= 0x10FFFF && (code < 0xD800 || code > 0xDFFF);
  return is_good ? Character{code, length} : Character{};
}

// Control characters, marks and overrides of direction, line separators, annotations, tags.
bool is_obeyed(uint32_t code) {
  struct Range {
    uint32_t first, last;
  };
  static constexpr Range kObeyed[] = {{0, 0x1F},        {0x7F, 0x9F},     {0x61C, 0x61C},
                                      {0x200E, 0x200F}, {0x2028, 0x202E}, {0x2066, 0x2069},
                                      {0xFEFF, 0xFEFF}, {0xFFF9, 0xFFFB}, {0xE0000, 0xE007F}};
  for (const Range& range : kObeyed)
    if (code >= range.first && code <= range.last) return true;
  return false;
}

std::string spelled(uint32_t code) {
  char text[16];
  snprintf(text, sizeof text, code <= 0xFF ? "\\x%02x" : "\\u%04x", code);
  return text;
}

std::string spelled_in_json(uint32_t code) {
  char text[16];
  if (code <= 0xFFFF)
    snprintf(text, sizeof text, "\\u%04x", code);
  else
    snprintf(text, sizeof text, "\\u%04x\\u%04x", 0xD800 + ((code - 0x10000) >> 10),
             0xDC00 + ((code - 0x10000) & 0x3FF));
  return text;
}

// Gives each character that `spell` has a text for that text instead, and each byte that is no UTF-8 what `foreign`
// says.
template <class Spell, class Foreign>
std::string replaced(std::string_view text, Spell&& spell, Foreign&& foreign) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    size_t plain = 0;
    while (plain < text.size() && text[plain] >= 0x20 && text[plain] < 0x7F) ++plain;
    result += text.substr(0, plain);
    text.remove_prefix(plain);
    if (text.empty()) break;
    const Character character = first_character(text);
    if (character.length == 0)
      result += foreign(static_cast<unsigned char>(text.front()));
    else if (const std::string spelling = spell(character.code); !spelling.empty())
      result += spelling;
    else
      result += text.substr(0, character.length);
    text.remove_prefix(character.length == 0 ? 1 : character.length);
  }
  return result;
}

std::string replacement(unsigned char) { return "\xEF\xBF\xBD"; }

}  // namespace

std::string terminal_text(std::string_view text) {
  return replaced(
      text, [](uint32_t code) { return is_obeyed(code) ? spelled(code) : std::string(); }, replacement);
}

std::string terminal_lines(std::string_view text) {
  return replaced(
      text, [](uint32_t code) { return code != '\n' && is_obeyed(code) ? spelled(code) : std::string(); }, replacement);
}

std::string terminal_bytes(std::string_view text) {
  return replaced(
      text, [](uint32_t code) { return is_obeyed(code) ? spelled(code) : std::string(); }, spelled);
}

std::string valid_utf8(std::string_view text) {
  return replaced(
      text, [](uint32_t) { return std::string(); }, replacement);
}

std::string terminal_json(std::string_view json) {
  return replaced(
      json, [](uint32_t code) { return code != '\n' && is_obeyed(code) ? spelled_in_json(code) : std::string(); },
      replacement);
}

}  // namespace tauprof
