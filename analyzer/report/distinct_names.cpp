#include "report/distinct_names.h"

#include <algorithm>
#include <map>

#include "model/terminal_text.h"

namespace tauprof {
namespace {

constexpr std::string_view kGap = "...";
constexpr std::string_view kAnonymous = "(anonymous namespace)::";

bool is_inside_character(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; }

// Bytes [from, from + length), less what would be half of a character.
std::string part(const std::string& text, size_t from, size_t length) {
  size_t end = std::min(text.size(), from + length);
  while (from < text.size() && is_inside_character(text[from])) ++from;
  while (end > from && end < text.size() && is_inside_character(text[end])) --end;
  return text.substr(from, end - from);
}

// The start and the end of a name, each half of the room.
std::string without_middle(const std::string& name, size_t width) {
  if (name.size() <= width) return name;
  const size_t room = width - kGap.size(), tail = room / 2;
  return part(name, 0, room - tail) + std::string(kGap) + part(name, name.size() - tail, tail);
}

// The start of a name, and what follows from the byte `differs` on.
std::string around(const std::string& name, size_t differs, size_t width) {
  if (name.size() <= width) return name;
  const size_t room = width - 2 * kGap.size(), head = room / 2;
  const size_t before = differs - std::min<size_t>(differs, 4);
  if (before <= head) return part(name, 0, width - kGap.size()) + std::string(kGap);
  const size_t from = std::min(before, name.size() - std::min(name.size(), room - head));
  std::string text = part(name, 0, head) + std::string(kGap) + part(name, from, room - head);
  return from + room - head < name.size() ? text + std::string(kGap) : text;
}

size_t first_difference(const std::string& a, const std::string& b) {
  return static_cast<size_t>(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin());
}

// Return type, anonymous namespaces and parameters of a template's instance say little: "void f<4>(int, float*)" is
// "f<4>".
std::string bare(const std::string& name) {
  std::string text = name.starts_with("void ") ? name.substr(5) : name;
  for (size_t at = text.find(kAnonymous); at != text.npos; at = text.find(kAnonymous))
    text.erase(at, kAnonymous.size());
  if (!text.ends_with(')')) return text;
  size_t depth = 0;
  for (size_t i = text.size(); i-- > 0;) {
    depth += text[i] == ')';
    if (text[i] == '(' && --depth == 0) return i > 0 ? text.substr(0, i) : text;
  }
  return text;
}

using Shown = std::map<std::string, std::string>;  // by the whole name

// The names, by what they are shown as, where several are shown alike.
std::map<std::string, std::vector<std::string>> alike(const Shown& shown) {
  std::map<std::string, std::vector<std::string>> groups;
  for (const auto& [name, text] : shown) groups[text].push_back(name);
  std::erase_if(groups, [](const auto& group) { return group.second.size() < 2; });
  return groups;
}

}  // namespace

std::vector<std::string> bare_names(const std::vector<std::string>& names) {
  Shown short_forms;
  for (const std::string& name : names) short_forms[name] = bare(terminal_text(name));
  for (const auto& [text, members] : alike(short_forms))
    for (const std::string& name : members) short_forms[name] = terminal_text(name);  // overloads
  std::vector<std::string> texts;
  for (const std::string& name : names) texts.push_back(short_forms[name]);
  return texts;
}

std::vector<std::string> distinct_texts(const std::vector<std::string>& texts, size_t width) {
  Shown shown;
  for (const std::string& text : texts) shown[text] = without_middle(text, width);
  for (const auto& [text, members] : alike(shown))
    for (const std::string& name : members) {
      const std::string& other = name == members.front() ? members[1] : members.front();
      shown[name] = around(name, first_difference(name, other), width);
    }
  for (const auto& [text, members] : alike(shown))
    for (size_t i = 1; i < members.size(); ++i) {
      const std::string number = " #" + std::to_string(i + 1);
      shown[members[i]] = part(text, 0, width - std::min(width, number.size())) + number;
    }
  std::vector<std::string> result;
  for (const std::string& text : texts) result.push_back(shown[text]);
  return result;
}

}  // namespace tauprof
