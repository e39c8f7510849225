#include <algorithm>
#include <sstream>

#include "cli/command_texts.h"

namespace tauprof {
namespace {

constexpr size_t kIndent = 2;
constexpr size_t kMeaningColumn = 24;

// The words of a text; lists without spaces that are longer than a line are parted behind their commas.
std::vector<std::string> words_of(const std::string& text, size_t longest) {
  std::vector<std::string> words;
  std::istringstream stream(text);
  for (std::string word; stream >> word;) {
    while (word.size() > longest) {
      const size_t comma = word.rfind(',', longest - 1);
      if (comma == word.npos) break;
      words.push_back(word.substr(0, comma + 1));
      word.erase(0, comma + 1);
    }
    words.push_back(word);
  }
  return words;
}

// Words from `column` on, in lines that end before `width`. The first line starts where `text` ends now.
void add_words(const std::string& words, size_t column, size_t width, std::string& text) {
  size_t at = column;
  bool is_first = true;
  for (const std::string& word : words_of(words, width - column)) {
    if (!is_first && at + 1 + word.size() > width) {
      text += "\n" + std::string(column, ' ');
      at = column;
      is_first = true;
    }
    text += (is_first ? "" : " ") + word;
    at += word.size() + (is_first ? 0 : 1);
    is_first = false;
  }
  text += "\n";
}

void add_row(const std::string& heading, const std::string& meaning, size_t width, std::string& text) {
  std::string row = std::string(kIndent, ' ') + heading;
  if (row.size() + 2 > kMeaningColumn)
    row += "\n" + std::string(kMeaningColumn, ' ');
  else
    row += std::string(kMeaningColumn - row.size(), ' ');
  text += row;
  add_words(meaning, kMeaningColumn, width, text);
}

std::string joined(const std::vector<std::string>& words, const char* between) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : between) + word;
  return text;
}

std::string usage_of(const CommandDescription& command) {
  std::string text = "tauprof " + command.name;
  for (const OptionDescription& option : command.options)
    if (option.is_required && !option.is_positional) text += " " + option.names.back() + " " + option.value;
  text += " [OPTIONS]";
  for (const OptionDescription& option : command.options)
    if (option.is_positional) text += " " + heading_of(option);
  return text;
}

}  // namespace

std::string heading_of(const OptionDescription& option) {
  std::string text = joined(option.names, ", ");
  if (option.is_positional) return text + (option.is_repeated ? "..." : "");
  return option.takes_value ? text + " " + option.value : text;
}

std::string help_text(const CommandDescription& command, size_t width) {
  std::string text = "Usage: ";
  add_words(usage_of(command), 7, width, text);
  text += "\n";
  add_words(command.meaning, 0, width, text);
  text += "\n";
  for (const OptionDescription& option : command.options)
    if (option.is_positional) add_row(heading_of(option), option.meaning, width, text);
  text += "\nOptions:\n";
  for (const OptionDescription& option : command.options) {
    if (option.is_positional) continue;
    const std::string other = option.only_with.empty() ? "" : " (only with " + option.only_with + ")";
    add_row(heading_of(option), option.meaning + other, width, text);
  }
  return command.footer.empty() ? text : text + "\n" + command.footer + "\n";
}

std::string help_text(const std::string& program, const std::string& meaning,
                      const std::vector<CommandDescription>& commands, size_t width) {
  std::string text = "Usage: " + program + " COMMAND ...\n\n";
  add_words(meaning, 0, width, text);
  text += "\nCommands (" + program + " COMMAND --help says more):\n";
  for (const CommandDescription& command : commands) add_row(command.name, command.meaning, width, text);
  text += "\nOptions:\n";
  add_row("-h, --help", "Print this help and exit", width, text);
  add_row("--version", "Print the version and exit", width, text);
  return text;
}

}  // namespace tauprof
