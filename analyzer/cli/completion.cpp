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

// What zsh completes a value with.
std::string zsh_action(const OptionDescription& option) {
  if (words_of(option).empty()) return "_files";
  const std::string words = escaped(fmt::format("{}", fmt::join(words_of(option), " ")), ":");
  return option.is_list ? "_sequence compadd - " + words : "(" + words + ")";
}

std::string zsh_option(const OptionDescription& option) {
  const std::string meaning = escaped(option.meaning, "[]:\\");
  if (option.is_positional)
    return quoted(fmt::format("{}:{}:{}", option.is_repeated ? "*" : "", option.names[0], zsh_action(option)));
  const std::string value = option.takes_value ? ":value:" + zsh_action(option) : "";
  std::string lines;
  for (const std::string& name : option.names) {
    if (!lines.empty()) lines += " ";
    lines += quoted(fmt::format("{}{}[{}]{}", name, option.takes_value && name[1] == '-' ? "=" : "", meaning, value));
  }
  return lines;
}

}  // namespace

std::string bash_completion(const std::vector<CommandDescription>& commands) {
  std::string values, first_words, options;
  for (const CommandDescription& command : commands) {
    std::vector<std::string> names;
    for (const OptionDescription& option : command.options) {
      const std::string choices = fmt::format("choices='{}'", fmt::join(words_of(option), " "));
      if (option.is_positional) {
        if (!words_of(option).empty()) first_words += fmt::format("      {}) {} ;;\n", command.name, choices);
        continue;
      }
      names.insert(names.end(), option.names.begin(), option.names.end());
      for (const std::string& name : option.names)
        if (!words_of(option).empty())
          values += fmt::format("    '{} {}') {}{} ;;\n", command.name, name, choices, option.is_list ? " list=1" : "");
    }
    options += fmt::format("      {}) choices='{}' ;;\n", command.name, fmt::join(names, " "));
  }
  return fmt::format(R"(# bash completion for tauprof, by: tauprof completion bash
_tauprof() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} command=${{COMP_WORDS[1]}} choices= list= before=
  local option=${{COMP_WORDS[COMP_CWORD - 1]}}
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W '{} --help --version' -- "$word"))
    return
  fi
  # Of --option=value, bash makes three words, unless COMP_WORDBREAKS lacks the sign.
  case "$word" in
    =) word= ;;
    --*=*) option=${{word%%=*}} before=$option= word=${{word#*=}} ;;
    *) if [ "$option" = = ]; then option=${{COMP_WORDS[COMP_CWORD - 2]}}; fi ;;
  esac
  case "$command $option" in
{}  esac
  if [ -n "$list" ]; then
    case "$word" in *,*) before=$before${{word%,*}}, word=${{word##*,}} ;; esac
  fi
  if [ -z "$choices" ] && [ "${{word#-}}" != "$word" ]; then
    case "$command" in
{}    esac
  elif [ -z "$choices$before" ] && [ "$COMP_CWORD" -eq 2 ]; then
    case "$command" in
{}    esac
  fi
  [ -n "$choices" ] || return
  COMPREPLY=($(compgen -P "$before" -W "$choices" -- "$word"))
  case "${{COMPREPLY[*]}}" in *:) compopt -o nospace 2>/dev/null ;; esac
}}
complete -o bashdefault -o default -F _tauprof tauprof
)",
                     fmt::join(names_of(commands), " "), values, options, first_words);
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
      const std::string words = fmt::format("{}", fmt::join(words_of(option), " "));
      if (option.is_positional) {
        if (!words.empty())
          lines += fmt::format(
              "complete -c tauprof -n '__fish_seen_subcommand_from {}; and not __fish_seen_subcommand_from {}' -f -a "
              "'{}' "
              "-d {}\n",
              command.name, words, words, text(option.meaning));
        continue;
      }
      lines += fmt::format("complete -c tauprof -n '__fish_seen_subcommand_from {}'", command.name);
      for (const std::string& name : option.names)
        lines += name[1] == '-' ? " -l " + name.substr(2) : " -s " + name.substr(1);
      if (option.takes_value) lines += words_of(option).empty() ? " -r" : " -x";
      if (!words.empty())
        lines += option.is_list ? fmt::format(" -a '(__fish_append , {})'", words) : " -a '" + words + "'";
      lines += fmt::format(" -d {}\n", text(option.meaning));
    }
  }
  return lines;
}

}  // namespace tauprof
