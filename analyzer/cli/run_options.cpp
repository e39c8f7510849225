#include "cli/run_options.h"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <functional>

#include "cli/commands.h"
#include "names/recorder_settings.h"

namespace tauprof {
namespace {

namespace fs = std::filesystem;

// An option that sets one variable of the recorder.
struct Setting {
  std::string option;  // with a word for its value
  const char* variable;
  std::string meaning;
  std::vector<std::string> choices;                               // empty: none
  std::vector<std::string> words;                                 // of a list; empty: it is none
  std::function<std::string(const std::string& value)> expected;  // the values that are accepted; empty: it is one
};

// The values that the recorder accepts, according to its own parser; empty: it accepts `value`.
template <class Member, class Form>
std::string expected_by(Member member, const Form& form, const std::string& value) {
  capture::Configuration configuration;
  if (form.parse(value.c_str(), configuration.*member)) return {};
  capture::ShortText accepted;
  form.put_accepted(accepted);
  return accepted.text();
}

template <class Form>
std::vector<std::string> choices_of(const Form&) {
  return {};
}
template <size_t kCount>
std::vector<std::string> choices_of(const capture::OneOf<kCount>& form) {
  std::vector<std::string> names;
  for (const capture::Choice& choice : form.choices) names.emplace_back(choice.name);
  return names;
}

template <class Form>
std::vector<std::string> list_of(const Form&) {
  return {};
}
template <size_t kCount>
std::vector<std::string> list_of(const capture::SetOf<kCount>& form) {
  std::vector<std::string> names;
  for (const capture::Choice& choice : form.choices) names.emplace_back(choice.name);
  return names;
}

// The placeholder for a value in the help; empty for choices, which are listed instead.
constexpr const char* word_of(const capture::Path&) { return "PATH"; }
constexpr const char* word_of(const capture::Ranks&) { return "LIST"; }
constexpr const char* word_of(const capture::Seconds&) { return "S"; }
constexpr const char* word_of(const capture::Microseconds&) { return "US"; }
constexpr const char* word_of(const capture::Megabytes&) { return "MB"; }
constexpr const char* word_of(const capture::Steps&) { return "N"; }
constexpr const char* word_of(const capture::Every&) { return "N/M"; }
constexpr const char* word_of(const capture::Budget&) { return "PCT%"; }
constexpr const char* word_of(const capture::MarkerName&) { return "MARKER"; }
constexpr const char* word_of(const capture::RangeName&) { return "RANGE"; }
template <size_t kCount>
constexpr const char* word_of(const capture::OneOf<kCount>&) {
  return "";
}
template <size_t kCount>
constexpr const char* word_of(const capture::SetOf<kCount>&) {
  return "LIST";
}

// Of a list, the words that it may have; the help has those of a choice already.
template <class Form>
std::string words_of(const Form&) {
  return {};
}
template <size_t kCount>
std::string words_of(const capture::SetOf<kCount>& form) {
  capture::ShortText accepted;
  form.put_accepted(accepted);
  return fmt::format(": {}", accepted.text());
}

template <class Form>
std::string meaning_of(const capture::SettingNames& names, const Form& form) {
  const std::string usual = *names.usual == '\0' ? "" : fmt::format(" (default: {})", names.usual);
  return names.meaning + words_of(form) + usual;
}

const std::vector<Setting>& settings() {
  static const std::vector<Setting> kSettings = [] {
    std::vector<Setting> list;
    capture::for_each_setting([&](auto member, const auto& form, const capture::SettingNames& names) {
      if (names.option == nullptr) return;
      list.push_back({fmt::format("{} {}", names.option, word_of(form)), names.variable, meaning_of(names, form),
                      choices_of(form), list_of(form),
                      [member, form](const std::string& value) { return expected_by(member, form, value); }});
    });
    return list;
  }();
  return kSettings;
}

struct Flag {
  const char* option;
  bool RunOptions::*value;
  const char* meaning;
  const char* only_with = nullptr;
};

constexpr Flag kFlags[] = {
    {"--report", &RunOptions::reports, "Analyse the logs after the command has ended, and print the report"},
    {"--twice", &RunOptions::runs_twice,
     "Run the command once more with hooks alone, into DIR-host-times: the host's times come from there, since taking "
     "device times slows it"},
    {"--reduce", &RunOptions::reduces,
     "Make timelines of this host's logs after the command has ended, in DIR-timelines, as tauprof reduce does "
     "(TAUPROF_REDUCE=1)"},
    {"--null-gpu", &RunOptions::is_on_null_gpu,
     "Run on simulated GPUs whose work takes no time, which leaves only the input pipeline and the host"},
    {"--audit-params", &RunOptions::audits_parameters,
     "Print which parameters of a PyTorch program have no gradient after the first optimizer step"},
    {"--check", &RunOptions::checks_audit, "Exit with status 6 if find_unused_parameters=False is not safe",
     "--audit-params"},
    {"--zero-grads", &RunOptions::shows_zero_gradients, "Also list parameters whose gradient is zero throughout",
     "--audit-params"},
};

bool is_flag(const std::string& word) {
  for (const Flag& flag : kFlags)
    if (word == flag.option) return true;
  return word == "--help" || word == "-h";
}

}  // namespace

std::string variable_or(const char* name, const char* otherwise) {
  const char* const value = std::getenv(name);
  return value != nullptr && *value != '\0' ? value : otherwise;
}

void add_run_options(Command& command, RunOptions& options) {
  options.settings.resize(settings().size());
  for (size_t i = 0; i < settings().size(); ++i) {
    const Setting& setting = settings()[i];
    CommandOption option = command.option(setting.option.c_str(), options.settings[i], setting.meaning.c_str());
    if (!setting.choices.empty()) option.one_of(setting.choices);
    if (!setting.words.empty()) option.suggests_list(setting.words);
    option.check([&setting](const std::string& value) {
      if (value.empty()) return std::string("the value is empty");
      const std::string expected = setting.expected(value);
      return expected.empty() ? expected : "'" + value + "' is not " + expected;
    });
  }
  for (const Flag& flag : kFlags) {
    CommandOption option = command.flag(flag.option, options.*flag.value, flag.meaning);
    if (flag.only_with != nullptr) option.only_with(flag.only_with);
  }
  command.option("--batch", options.batch, "Samples per rank and step, for samples/s in the report").positive();
  command.option("COMMAND", options.command, "The command and its arguments").required();
}

std::string set_recorder_variables(const RunOptions& options) {
  for (size_t i = 0; i < options.settings.size(); ++i)
    if (!options.settings[i].empty()) setenv(settings()[i].variable, options.settings[i].c_str(), 1);
  // Logs of runs on the null GPU are kept apart from those of real GPUs.
  const char* const usual = options.is_on_null_gpu ? "tauprof-null-gpu-logs" : "tauprof-logs";
  fs::path path = fs::absolute(variable_or("TAUPROF_DIR", usual)).lexically_normal();
  if (!path.has_filename() && path.has_relative_path()) path = path.parent_path();  // "logs/": others lie beside it
  const std::string directory = path.string();
  setenv("TAUPROF_DIR", directory.c_str(), 1);
  return directory;
}

void mark_command(std::vector<std::string>& words) {
  if (words.empty() || words[0] != "run") return;
  for (size_t i = 1; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (word == "--") return;
    if (word.size() < 2 || word[0] != '-') {
      words.insert(words.begin() + static_cast<std::ptrdiff_t>(i), "--");
      return;
    }
    const bool has_value = word[1] == '-' ? word.find('=') != word.npos : word.size() > 2;
    if (!is_flag(word) && !has_value) ++i;
  }
}

}  // namespace tauprof
