#include "pipeline/run_words.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <string_view>
#include <vector>

namespace tauprof {
namespace {

// As one word of a shell.
std::string word_of(const std::string& text) {
  constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:,=@+%";
  if (!text.empty() && text.find_first_not_of(kPlain) == text.npos) return text;
  std::string word = "'";
  for (const char letter : text) word += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
  return word + "'";
}

std::string number_of(double value) {
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

std::string range_of(const StepRange& range) {
  return std::to_string(range.first) + ":" + (range.last == INT64_MAX ? "" : std::to_string(range.last));
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

}  // namespace

std::string logs_of(const std::vector<std::string>& paths) {
  std::vector<std::string> words;
  for (const std::string& path : paths) words.push_back(word_of(path));
  return joined(words);
}

std::string options_of(const RunChoice& choice) {
  std::vector<std::string> words;
  const auto add = [&words](const char* option, const std::string& value) {
    words.insert(words.end(), {option, word_of(value)});
  };
  if (choice.run) add("--run", *choice.run);
  if (choice.steps) add("--steps", range_of(*choice.steps));
  if (choice.rules) add("--rules", *choice.rules);
  if (choice.step_ns) add("--step-time", number_of(*choice.step_ns / 1e6));
  for (const std::string& path : choice.host_times) add("--host-times", path);
  return joined(words);
}

}  // namespace tauprof
