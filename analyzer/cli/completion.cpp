#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstddef>

#include "cli/command_texts.h"

namespace tauprof {
namespace {

std::vector<std::string> names_of(const std::vector<CommandDescription>& commands) {
  std::vector<std::string> names;
  for (const CommandDescription& command : commands) names.push_back(command.name);
  return names;
}

const std::vector<std::string>& words_of(const OptionDescription& option) {
  return option.choices.empty() ? option.words : option.choices;
}

// `text` with a backslash before each of `special`.
std::string escaped(const std::string& text, const std::string& special) {
  std::string result;
  for (const char letter : text) {
    if (special.find(letter) != special.npos) result += '\\';
    result += letter;
  }
  return result;
}

// In single quotes of a POSIX shell.
std::string quoted(const std::string& text) {
  std::string result = "'";
  for (const char letter : text) result += letter == '\'' ? "'\\''" : std::string(1, letter);
  return result + "'";
}

std::string zsh_option(const OptionDescription& option) {
  const std::string meaning = escaped(option.meaning, "[]:\\");
  if (option.is_positional) return quoted(fmt::format("*:{}:_files", option.names[0]));
  std::string value;
  if (option.takes_value)
    value = words_of(option).empty() ? ":value:_files" : fmt::format(":value:({})", fmt::join(words_of(option), " "));
  std::string lines;
  for (const std::string& name : option.names) {
    if (!lines.empty()) lines += " ";
    lines += quoted(fmt::format("{}{}[{}]{}", name, option.takes_value && name[1] == '-' ? "=" : "", meaning, value));
  }
  return lines;
}

}  // namespace

std::string bash_completion(const std::vector<CommandDescription>& commands) {
  std::string values, options;
  for (const CommandDescription& command : commands) {
    std::vector<std::string> names;
    for (const OptionDescription& option : command.options) {
      if (option.is_positional) continue;
      for (const std::string& name : option.names) {
        names.push_back(name);
        if (!words_of(option).empty())
          values += fmt::format("    '{} {}') choices='{}' ;;\n", command.name, name, fmt::join(words_of(option), " "));
      }
    }
    options += fmt::format("    {}) choices='{}' ;;\n", command.name, fmt::join(names, " "));
  }
  return fmt::format(R"(# bash completion for tauprof, by: tauprof completion bash
_tauprof() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} command=${{COMP_WORDS[1]}} choices=
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W '{} --help --version' -- "$word"))
    return
  fi
  case "$command ${{COMP_WORDS[COMP_CWORD - 1]}}" in
{}  esac
  if [ -z "$choices" ]; then
    case "$word" in -*) ;; *) return ;; esac
    case "$command" in
{}    esac
  fi
  COMPREPLY=($(compgen -W "$choices" -- "$word"))
}}
complete -o bashdefault -o default -F _tauprof tauprof
)",
                     fmt::join(names_of(commands), " "), values, options);
}

std::string zsh_completion(const std::vector<CommandDescription>& commands) {
  std::string list, options;
  for (const CommandDescription& command : commands) {
    list += fmt::format("    {}\n", quoted(command.name + ":" + escaped(command.meaning, ":\\")));
    options += fmt::format("    {}) _arguments", command.name);
    for (const OptionDescription& option : command.options) options += " \\\n      " + zsh_option(option);
    options += " ;;\n";
  }
  return fmt::format(R"(#compdef tauprof
# zsh completion for tauprof, by: tauprof completion zsh
_tauprof() {{
  local -a commands=(
{}  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case $command in
{}  esac
}}
if [ "$funcstack[1]" = _tauprof ]; then _tauprof "$@"; else compdef _tauprof tauprof; fi
)",
                     list, options);
}

std::string fish_completion(const std::vector<CommandDescription>& commands) {
  std::string lines = "# fish completion for tauprof, by: tauprof completion fish\n";
  const auto text = [](const std::string& of) { return "'" + escaped(of, "'\\") + "'"; };
  for (const CommandDescription& command : commands) {
    lines += fmt::format("complete -c tauprof -n __fish_use_subcommand -f -a {} -d {}\n", command.name,
                         text(command.meaning));
    for (const OptionDescription& option : command.options) {
      if (option.is_positional) continue;
      lines += fmt::format("complete -c tauprof -n '__fish_seen_subcommand_from {}'", command.name);
      for (const std::string& name : option.names)
        lines += name[1] == '-' ? " -l " + name.substr(2) : " -s " + name.substr(1);
      if (option.takes_value) lines += words_of(option).empty() ? " -r" : " -x";
      if (!words_of(option).empty()) lines += fmt::format(" -a '{}'", fmt::join(words_of(option), " "));
      lines += fmt::format(" -d {}\n", text(option.meaning));
    }
  }
  return lines;
}

}  // namespace tauprof
