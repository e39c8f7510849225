// tauprof run: a command with the recorder in front of it, and where its logs are.
#include <fmt/format.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "cli/child_command.h"
#include "cli/commands.h"
#include "cli/preload_check.h"
#include "log/format.h"
#include "pipeline/analyze_run.h"
#include "report/text_report.h"

#ifndef TAUPROF_LIBDIR
#error "the build defines TAUPROF_LIBDIR"
#endif

namespace tauprof {
namespace {

namespace fs = std::filesystem;

constexpr int kWrongUsage = 2;
constexpr int kNothingUsable = 3;
constexpr int kCannotRun = 126;  // this and the next as shells and env
constexpr int kNotFound = 127;
constexpr char kLibrary[] = "libtauprof.so";

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
    {"--step-marker", "TAUPROF_STEP_MARKER", "What begins a step: nvtx:GLOB, kernel:GLOB or call:FUNCTION"},
    {"-y,--start-after", "TAUPROF_START_AFTER", "Begin recording after so many seconds", {}, true},
    {"-d,--duration", "TAUPROF_DURATION", "Record for so many seconds", {}, true},
    {"-c,--capture-range", "TAUPROF_CAPTURE_RANGE",
     "Record between cudaProfilerStart and Stop (cudaProfilerApi), or inside an NVTX range (nvtx:NAME)"},
    {"--max-mb", "TAUPROF_MAX_MB", "Most megabytes of log per process (default: 512)", {}, true},
    {"--on-full", "TAUPROF_ON_FULL", "Then keep the newest (wrap) or the oldest (stop)", {"wrap", "stop"}},
    {"--buffer-mb", "TAUPROF_BUFFER_MB", "Most megabytes of memory per process (default: 64)", {}, true},
    {"--log-level", "TAUPROF_LOG_LEVEL", "The recorder's own diagnostics", {"off", "error", "warn", "info", "debug"}},
};

struct RunOptions {
  std::vector<std::string> values = std::vector<std::string>(std::size(kSettings));  // empty: not given
  bool reports = false;
  std::vector<std::string> command;
};

std::string variable_or(const char* name, const char* otherwise) {
  const char* const value = std::getenv(name);
  return value != nullptr && *value != '\0' ? value : otherwise;
}

// The library of this installation or build tree; empty: none, and it has been said.
std::string find_library() {
  std::error_code error;
  if (const std::string named = variable_or("TAUPROF_LIBRARY", ""); !named.empty()) {
    if (fs::is_regular_file(named, error)) return fs::absolute(named).string();
    spdlog::error("{}: TAUPROF_LIBRARY names no file", named);
    return {};
  }
  const fs::path here = fs::read_symlink("/proc/self/exe", error).parent_path();
  for (const char* const folder : {".", "../" TAUPROF_LIBDIR, "../lib", "../lib64", "../../lib"}) {
    const fs::path candidate = fs::weakly_canonical(here / folder / kLibrary, error);
    if (fs::is_regular_file(candidate, error)) return candidate.string();
  }
  spdlog::error("{}: not found beside {} nor in ../lib; name it in TAUPROF_LIBRARY", kLibrary, here.string());
  return {};
}

bool put_in_front_of_preload(const std::string& library) {
  if (library.find_first_of(": \t\n") != library.npos) {
    spdlog::error("{}: the loader takes no preload whose name holds a colon or white space", library);
    return false;
  }
  const std::string before = variable_or("LD_PRELOAD", "");
  setenv("LD_PRELOAD", (before.empty() ? library : library + ":" + before).c_str(), 1);
  return true;
}

// The directory is made absolute: the command may change its own.
std::string set_variables(const RunOptions& options) {
  for (size_t i = 0; i < std::size(kSettings); ++i)
    if (!options.values[i].empty()) setenv(kSettings[i].variable, options.values[i].c_str(), 1);
  const std::string directory = fs::absolute(variable_or("TAUPROF_DIR", "tauprof-logs")).lexically_normal().string();
  setenv("TAUPROF_DIR", directory.c_str(), 1);
  return directory;
}

std::set<std::string> list_logs(const std::string& directory) {
  std::set<std::string> logs;
  std::error_code error;
  for (fs::directory_iterator entry(directory, error); !error && entry != fs::directory_iterator();
       entry.increment(error))
    if (entry->path().extension() == log::kFileSuffix) logs.insert(entry->path().filename().string());
  return logs;
}

size_t count_new_logs(const std::string& directory, const std::set<std::string>& before) {
  size_t count = 0;
  for (const std::string& name : list_logs(directory)) count += before.count(name) == 0;
  return count;
}

bool print_report(const std::string& directory) {
  AnalysisOptions options;
  options.path = directory;
  Report report;
  std::vector<std::string> notes;
  const Status status = analyze_run(options, report, notes);
  for (const std::string& note : notes) spdlog::warn(note);
  if (!status.is_ok()) {
    spdlog::error(status.message());
    return false;
  }
  const std::string text = text_report(report);
  return fwrite(text.data(), 1, text.size(), stdout) == text.size() && fflush(stdout) == 0;
}

// Says where the logs are; false: a report was wanted and there is none.
bool conclude(const std::string& directory, size_t new_logs, bool reports) {
  if (new_logs == 0) {
    spdlog::warn("no log was written: no CUDA call reached the recorder");
    return !reports;
  }
  spdlog::info("{} {} in {}", new_logs, new_logs == 1 ? "log" : "logs", directory);
  if (reports) return print_report(directory);
  spdlog::info("see them with: tauprof analyze {}", directory);
  return true;
}

// Whether and how the command can be run: 0, or the status to end with.
int prepare(const std::vector<std::string>& command) {
  const std::string library = find_library();
  if (library.empty()) return kWrongUsage;
  const PreloadCheck check = check_preload(command[0], variable_or("PATH", "/bin:/usr/bin"));
  switch (check.effect) {
    case PreloadEffect::kTakes:
      break;
    case PreloadEffect::kNotFound:
      spdlog::error("{}", check.reason);
      return kNotFound;
    case PreloadEffect::kCannotRun:
      spdlog::error("{}", check.reason);
      return kCannotRun;
    case PreloadEffect::kIgnored:
      spdlog::warn("{}; it runs, but is not recorded", check.reason);
      break;
    case PreloadEffect::kBreaks:
      spdlog::warn("{}; it runs without, and is not recorded", check.reason);
      return 0;
    case PreloadEffect::kNotHere:
      spdlog::warn("{}; it runs, and only what it starts can be recorded", check.reason);
      break;
  }
  return put_in_front_of_preload(library) ? 0 : kWrongUsage;
}

int run(const RunOptions& options) {
  const std::vector<std::string>& command = options.command;
  if (const int refused = prepare(command); refused != 0) return refused;
  const std::string directory = set_variables(options);
  const std::set<std::string> before = list_logs(directory);
  const CommandOutcome outcome = run_command(command);
  if (outcome.start_error != 0) {
    spdlog::error("{}: {}", command[0], std::strerror(outcome.start_error));
    return outcome.start_error == ENOENT ? kNotFound : kCannotRun;
  }
  const bool is_concluded = conclude(directory, count_new_logs(directory, before), options.reports);
  return outcome.status == 0 && !is_concluded ? kNothingUsable : outcome.status;
}

}  // namespace

void add_run_command(CLI::App& app, int& exit_code) {
  CLI::App* const command = app.add_subcommand("run", "Run a command and record what its GPUs do");
  const auto options = std::make_shared<RunOptions>();
  for (size_t i = 0; i < std::size(kSettings); ++i) {
    const Setting& setting = kSettings[i];
    CLI::Option* const option = command->add_option(setting.option, options->values[i], setting.meaning);
    if (!setting.choices.empty()) option->check(CLI::IsMember(setting.choices));
    if (setting.is_number) option->check(CLI::NonNegativeNumber);
  }
  command->add_flag("--report", options->reports, "Analyse the logs when the command has ended, and print the report");
  command->add_option("COMMAND", options->command, "The command and its arguments")->required();
  command->footer("The status is the command's, 128+n where signal n ended it.");
  command->callback([options, &exit_code] { exit_code = run(*options); });
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
    const bool is_flag = word == "--report" || word == "--help" || word == "-h";
    const bool has_value = word[1] == '-' ? word.find('=') != word.npos : word.size() > 2;
    if (!is_flag && !has_value) ++i;
  }
}

}  // namespace tauprof
