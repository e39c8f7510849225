// See run_options.h.
#include "cli/run_options.h"

#include <cstdlib>
#include <filesystem>

#include "cli/commands.h"

namespace tauprof {
namespace {

namespace fs = std::filesystem;

// One option for each variable of the recorder.
struct Setting {
  const char* option;
  const char* variable;
  const char* meaning;
  std::vector<std::string> choices = {};
  bool is_number = false;
};

const Setting kSettings[] = {
    {"-o,--dir", "TAUPROF_DIR", "Log directory (default: ./tauprof-logs)"},
    {"--ranks", "TAUPROF_RANKS", "Record these ranks only, e.g. 0,4-7"},
    {"-t,--capture", "TAUPROF_CAPTURE",
     "What to record, a list of api,device,gemm,nccl,nvtx,memory,telemetry,graph-nodes (default: all but the last)"},
    {"--device-timing", "TAUPROF_DEVICE_TIMING", "Where device times come from", {"auto", "cupti", "events", "off"}},
    {"--stacks",
     "TAUPROF_STACKS",
     "Where in the code: stacks of slow calls and pauses, or of all calls",
     {"off", "slow", "all"}},
    {"--stack-min-us", "TAUPROF_STACK_MIN_US", "A slow call takes so many microseconds (default: 100)", {}, true},
    {"--step-marker", "TAUPROF_STEP_MARKER", "What begins a step: nvtx:GLOB, kernel:GLOB or call:FUNCTION"},
    {"--start-step", "TAUPROF_START_STEP", "Begin recording with this step, counted from 0", {}, true},
    {"--steps", "TAUPROF_STEPS", "Record so many steps", {}, true},
    {"--trigger", "TAUPROF_TRIGGER", "Record while this file exists, in whole steps", {}, false},
    {"-y,--start-after", "TAUPROF_START_AFTER", "Begin recording after so many seconds", {}, true},
    {"-d,--duration", "TAUPROF_DURATION", "Record for so many seconds", {}, true},
    {"-c,--capture-range", "TAUPROF_CAPTURE_RANGE",
     "Record between cudaProfilerStart and Stop (cudaProfilerApi), or inside an NVTX range (nvtx:NAME)"},
    {"--max-mb", "TAUPROF_MAX_MB", "Most megabytes of log per process (default: 512)", {}, true},
    {"--on-full", "TAUPROF_ON_FULL", "Then keep the newest (wrap) or the oldest (stop)", {"wrap", "stop"}},
    {"--buffer-mb", "TAUPROF_BUFFER_MB", "Most megabytes of memory per process (default: 64)", {}, true},
    {"--log-level", "TAUPROF_LOG_LEVEL", "The recorder's own diagnostics", {"off", "error", "warn", "info", "debug"}},
};

struct Flag {
  const char* option;
  bool RunOptions::*value;
  const char* meaning;
  const char* needs = nullptr;
};

constexpr Flag kFlags[] = {
    {"--report", &RunOptions::reports, "Analyse the logs when the command has ended, and print the report"},
    {"--null-gpu", &RunOptions::is_on_null_gpu,
     "On simulated GPUs whose work takes no time: what is left is the input pipeline and the host"},
    {"--audit-params", &RunOptions::audits_parameters,
     "Print which parameters of a PyTorch program have no gradient after the first optimizer step"},
    {"--check", &RunOptions::checks_audit, "End with status 6 if find_unused_parameters=False is not safe",
     "--audit-params"},
    {"--zero-grads", &RunOptions::shows_zero_gradients, "List parameters whose gradient is zero throughout, too",
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

void add_run_options(CLI::App& subcommand, RunOptions& options) {
  options.settings.resize(std::size(kSettings));
  for (size_t i = 0; i < std::size(kSettings); ++i) {
    const Setting& setting = kSettings[i];
    CLI::Option* const option = subcommand.add_option(setting.option, options.settings[i], setting.meaning);
    if (!setting.choices.empty()) option->check(CLI::IsMember(setting.choices));
    if (setting.is_number) option->check(CLI::NonNegativeNumber);
  }
  for (const Flag& flag : kFlags) {
    CLI::Option* const option = subcommand.add_flag(flag.option, options.*flag.value, flag.meaning);
    if (flag.needs != nullptr) option->needs(flag.needs);
  }
  subcommand.add_option("--batch", options.batch, "Samples per rank and step, for samples/s in the report")
      ->check(CLI::PositiveNumber);
  subcommand.add_option("COMMAND", options.command, "The command and its arguments")->required();
}

std::string set_recorder_variables(const RunOptions& options) {
  for (size_t i = 0; i < std::size(kSettings); ++i)
    if (!options.settings[i].empty()) setenv(kSettings[i].variable, options.settings[i].c_str(), 1);
  const std::string directory = fs::absolute(variable_or("TAUPROF_DIR", "tauprof-logs")).lexically_normal().string();
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
