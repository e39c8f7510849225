#include "cli/run_options.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <initializer_list>
#include <iterator>
#include <set>
#include <sstream>

#include "cli/commands.h"
#include "cli/run_choice.h"

namespace tauprof {
namespace {

namespace fs = std::filesystem;

// An option that sets one variable of the recorder.
struct Setting {
  const char* option;
  const char* variable;
  const char* meaning;
  std::vector<std::string> choices = {};
  bool is_number = false;
  const char* (*expected)(const std::string& value) = nullptr;  // what the value should be; null: it is
};

const char* expected_ranks(const std::string& value) {
  return parse_ranks(value).empty() ? "a list of ranks such as 0,4-7" : nullptr;
}

const char* expected_categories(const std::string& value) {
  static const std::set<std::string> kCategories = {"api",    "device",    "gemm",        "nccl",       "nvtx",
                                                    "memory", "telemetry", "graph-nodes", "nccl-phases"};
  std::istringstream list(value);
  for (std::string category; std::getline(list, category, ',');)
    if (kCategories.count(category) == 0)
      return "a list of api, device, gemm, nccl, nvtx, memory, telemetry, graph-nodes and nccl-phases";
  return nullptr;
}

// Whether the value is one of the prefixes with something behind it.
bool has_form(const std::string& value, std::initializer_list<const char*> prefixes) {
  return std::any_of(prefixes.begin(), prefixes.end(), [&](const std::string prefix) {
    return value.size() > prefix.size() && value.compare(0, prefix.size(), prefix) == 0;
  });
}

const char* expected_marker(const std::string& value) {
  return has_form(value, {"nvtx:", "kernel:", "call:"}) ? nullptr : "nvtx:GLOB, kernel:GLOB or call:FUNCTION";
}

const char* expected_range(const std::string& value) {
  return value == "none" || value == "cudaProfilerApi" || has_form(value, {"nvtx:"}) ? nullptr
                                                                                     : "cudaProfilerApi or nvtx:NAME";
}

const Setting kSettings[] = {
    {"-o,--dir", "TAUPROF_DIR", "Log directory (default: ./tauprof-logs, with --null-gpu ./tauprof-null-gpu-logs)"},
    {"--ranks", "TAUPROF_RANKS", "Record these ranks only, e.g. 0,4-7", {}, false, expected_ranks},
    {"-t,--capture",
     "TAUPROF_CAPTURE",
     "What to record, a list of api,device,gemm,nccl,nvtx,memory,telemetry,graph-nodes,nccl-phases (default: all but "
     "the last two)",
     {},
     false,
     expected_categories},
    {"--device-timing", "TAUPROF_DEVICE_TIMING", "Where device times come from", {"auto", "cupti", "events", "off"}},
    {"--stacks",
     "TAUPROF_STACKS",
     "Record where in the code: stacks of slow calls and pauses, or of all calls",
     {"off", "slow", "all"}},
    {"--stack-min-us",
     "TAUPROF_STACK_MIN_US",
     "Calls are slow from this many microseconds on (default: 100)",
     {},
     true},
    {"--step-marker",
     "TAUPROF_STEP_MARKER",
     "What marks the start of a step: nvtx:GLOB, kernel:GLOB or call:FUNCTION",
     {},
     false,
     expected_marker},
    {"--start-step", "TAUPROF_START_STEP", "Start recording at this step, counted from 0", {}, true},
    {"--steps", "TAUPROF_STEPS", "Record this many steps", {}, true},
    {"--trigger", "TAUPROF_TRIGGER", "Record while this file exists, in whole steps", {}, false},
    {"-y,--start-after", "TAUPROF_START_AFTER", "Start recording after this many seconds", {}, true},
    {"-d,--duration", "TAUPROF_DURATION", "Record for this many seconds", {}, true},
    {"-c,--capture-range",
     "TAUPROF_CAPTURE_RANGE",
     "Record between cudaProfilerStart and Stop (cudaProfilerApi), or inside an NVTX range (nvtx:NAME)",
     {},
     false,
     expected_range},
    {"--max-mb", "TAUPROF_MAX_MB", "Largest log of a process, in megabytes (default: 512)", {}, true},
    {"--on-full",
     "TAUPROF_ON_FULL",
     "In a full log, keep the newest records (wrap) or the oldest (stop)",
     {"wrap", "stop"}},
    {"--buffer-mb",
     "TAUPROF_BUFFER_MB",
     "Most memory that the recorder uses per process, in megabytes (default: 64)",
     {},
     true},
    {"--python", "TAUPROF_PYTHON", "Ask PyTorch what it does, or leave Python alone", {"auto", "off"}},
    {"--log-level",
     "TAUPROF_LOG_LEVEL",
     "How much the recorder says about itself",
     {"off", "error", "warn", "info", "debug"}},
};

struct Flag {
  const char* option;
  bool RunOptions::*value;
  const char* meaning;
  const char* only_with = nullptr;
};

constexpr Flag kFlags[] = {
    {"--report", &RunOptions::reports, "Analyse the logs after the command has ended, and print the report"},
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
  options.settings.resize(std::size(kSettings));
  for (size_t i = 0; i < std::size(kSettings); ++i) {
    const Setting& setting = kSettings[i];
    CommandOption option = command.option(setting.option, options.settings[i], setting.meaning);
    if (!setting.choices.empty()) option.one_of(setting.choices);
    if (setting.is_number) option.not_negative();
    option.check([expected = setting.expected](const std::string& value) {
      if (value.empty()) return std::string("the value is empty");
      const char* const wanted = expected != nullptr ? expected(value) : nullptr;
      return wanted != nullptr ? "'" + value + "' is not " + wanted : std::string();
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
    if (!options.settings[i].empty()) setenv(kSettings[i].variable, options.settings[i].c_str(), 1);
  // What never ran on a GPU does not lie beside what did.
  const char* const usual = options.is_on_null_gpu ? "tauprof-null-gpu-logs" : "tauprof-logs";
  const std::string directory = fs::absolute(variable_or("TAUPROF_DIR", usual)).lexically_normal().string();
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
