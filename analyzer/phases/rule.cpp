#include "phases/rule.h"

#include <algorithm>
#include <array>

namespace tauprof {
namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

using std::string_view;

constexpr std::array<string_view, kRuleKinds> kKinds = {"range", "operator", "file", "kernel"};  // by RuleKind

std::vector<string_view> words_of(string_view line) {
  std::vector<string_view> words;
  line = line.substr(0, line.find('#'));
  while (true) {
    const size_t start = line.find_first_not_of(" \t\r");
    if (start == line.npos) return words;
    line.remove_prefix(start);
    words.push_back(line.substr(0, line.find_first_of(" \t\r")));
    line.remove_prefix(words.back().size());
  }
}

// A file that holds no rules may have a word of any length.
std::string quoted(string_view text) {
  constexpr size_t kMostShown = 60;
  return "'" + std::string(text.substr(0, kMostShown)) + (text.size() > kMostShown ? "..." : "") + "'";
}

std::string bad_phase(string_view text) {
  std::string message = quoted(text) + " is no phase; there are";
  for (const string_view name : kPhaseNames) message += " " + std::string(name);
  return message + " @none";
}

// Returns what is wrong with the line; empty: nothing.
std::string read_line(const std::vector<string_view>& words, RuleLists& rules) {
  const auto kind = std::find(kKinds.begin(), kKinds.end(), words[0]);
  if (kind == kKinds.end()) return quoted(words[0]) + " begins no rule; there are range, operator, file, kernel";
  if (words.size() != 3) return "give " + std::string(words[0]) + " PATTERN PHASE";
  PhaseRule rule{std::string(words[1]), std::nullopt};
  const auto phase = std::find(kPhaseNames.begin(), kPhaseNames.end(), words[2]);
  if (phase != kPhaseNames.end())
    rule.phase = static_cast<Phase>(phase - kPhaseNames.begin());
  else if (words[2] != "@none")
    return bad_phase(words[2]);
  rules[static_cast<size_t>(kind - kKinds.begin())].push_back(std::move(rule));
  return {};
}

}  // namespace

bool fits_pattern(std::string_view pattern, std::string_view text) {
  size_t p = 0, t = 0, star = pattern.npos, resume = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      resume = t;
    } else if (p < pattern.size() && (pattern[p] == '?' || lower(pattern[p]) == lower(text[t]))) {
      ++p, ++t;
    } else if (star != pattern.npos) {
      p = star + 1;
      t = ++resume;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

Status read_rules(const std::string& source, string_view text, RuleLists& rules) {
  for (size_t number = 1; !text.empty(); ++number) {
    const string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    const std::vector<string_view> words = words_of(line);
    if (words.empty()) continue;
    if (const std::string wrong = read_line(words, rules); !wrong.empty())
      return Status::error(source + ":" + std::to_string(number) + ": " + wrong);
  }
  return Status::ok();
}

}  // namespace tauprof
