#include "classify/template_arguments.h"

namespace tauprof {
namespace {

using std::string_view;

string_view without_spaces(string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

}  // namespace

std::vector<string_view> template_arguments(string_view name, string_view word) {
  const size_t at = name.find(word);
  if (at == name.npos) return {};
  const string_view text = name.substr(at + word.size());
  constexpr string_view kOpening = "<([{", kClosing = ">)]}";
  std::vector<string_view> arguments;
  size_t depth = 0, start = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    if (depth == 0 && (text[i] == ',' || text[i] == '>')) {
      arguments.push_back(without_spaces(text.substr(start, i - start)));
      start = i + 1;
      if (text[i] == '>') return arguments;
    } else if (kOpening.find(text[i]) != kOpening.npos) {
      ++depth;
    } else if (depth > 0 && kClosing.find(text[i]) != kClosing.npos) {
      --depth;
    }
  }
  return {};
}

}  // namespace tauprof
