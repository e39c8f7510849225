// tauprof run: starts a command with the recorder preloaded, and says where its logs are.
#include <fmt/format.h>
#include <spdlog/spdlog.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "cli/child_command.h"
#include "cli/commands.h"
#include "cli/exit_status.h"
#include "cli/installation.h"
#include "cli/parameter_audit.h"
#include "cli/preload_check.h"
#include "cli/printed_report.h"
#include "cli/run_options.h"
#include "cli/simulated_devices.h"
#include "log/format.h"
#include "names/launchers.h"
#include "pipeline/analyze_run.h"
#include "pipeline/reduce_logs.h"
#include "report/text_documents.h"

namespace tauprof {
namespace {

namespace fs = std::filesystem;

bool put_in_front_of_preload(const std::string& library) {
  if (library.find_first_of(": \t\n") != library.npos) {
    spdlog::error("{}: the loader cannot preload a library whose path holds a colon or white space", library);
    return false;
  }
  const std::string before = variable_or("LD_PRELOAD", "");
  setenv("LD_PRELOAD", (before.empty() ? library : library + ":" + before).c_str(), 1);
  return true;
}

// Why no log can be written there; 0: nothing is known to prevent it. What is missing is made, and removed again: the
// recorder makes it when there is something to record.
int cannot_write_to(const fs::path& directory) {
  std::error_code error;
  fs::path missing;
  fs::path known = directory;
  for (; !known.empty() && !fs::exists(fs::status(known, error)); known = known.parent_path()) {
    if (known == known.parent_path()) break;
    missing = known;
  }
  if (!fs::is_directory(known, error)) return ENOTDIR;
  if (access(known.c_str(), W_OK | X_OK) != 0) return errno;
  if (missing.empty()) return 0;
  if (mkdir(missing.c_str(), 0700) != 0) return errno == EEXIST ? 0 : errno;
  rmdir(missing.c_str());
  return 0;
}

std::set<std::string> logs_in(const std::string& directory) {
  std::set<std::string> logs;
  std::error_code error;
  for (fs::directory_iterator entry(directory, error); !error && entry != fs::directory_iterator();
       entry.increment(error))
    if (entry->path().extension() == log::kFileSuffix) logs.insert(entry->path().filename().string());
  return logs;
}

size_t count_new_logs(const std::string& directory, const std::set<std::string>& before) {
  size_t count = 0;
  for (const std::string& name : logs_in(directory)) count += before.count(name) == 0;
  return count;
}

// The logs left by one command: with device times and, from a second run, without.
struct LeftLogs {
  std::string directory;
  std::string host_times;  // empty: it ran once

  std::string options() const { return host_times.empty() ? "" : " --host-times " + host_times; }
};

bool print_analysis(const LeftLogs& logs, const RunOptions& run) {
  AnalysisOptions options;
  options.paths = {logs.directory};
  if (!logs.host_times.empty()) options.host_times = {logs.host_times};
  options.batch = run.batch;
  Report report;
  std::vector<std::string> notes;
  const Status status = analyze_run(options, report, notes);
  for (const std::string& note : notes) spdlog::warn(note);
  if (!status.is_ok()) {
    spdlog::error(status.message());
    return false;
  }
  const std::string text = run.reports ? text_report(report, style_of_stdout()) : std::string();
  const bool is_printed = fwrite(text.data(), 1, text.size(), stdout) == text.size() && fflush(stdout) == 0;
  if (run.is_on_null_gpu) spdlog::info(null_gpu_summary(report));
  return is_printed;
}

bool wants_timelines(const RunOptions& options) {
  if (options.reduces) return true;
  const std::string asked = variable_or("TAUPROF_REDUCE", "0");
  if (asked != "0" && asked != "1")
    spdlog::error("TAUPROF_REDUCE={} is not understood (accepted: 0, 1); using the default", asked);
  return asked == "1";
}

// Of the ranks that a launcher starts on a host, one speaks for all.
bool speaks_for_host() {
  for (const Launcher& launcher : kLaunchers) {
    if (getenv(launcher.rank) == nullptr || getenv(launcher.world_size) == nullptr) continue;
    const char* const local = launcher.local_rank != nullptr ? getenv(launcher.local_rank) : nullptr;
    return std::string_view(local != nullptr ? local : getenv(launcher.rank)) == "0";
  }
  return true;
}

// Says where the logs are. False if a report was wanted and there is none.
bool conclude(const LeftLogs& logs, size_t new_logs, const RunOptions& run) {
  const bool wants_analysis = run.reports || run.is_on_null_gpu;
  if (new_logs == 0) {
    if (wants_analysis || !run.audits_parameters) spdlog::warn("no log was written: no CUDA call reached the recorder");
    return !wants_analysis;
  }
  if (!speaks_for_host()) return true;
  spdlog::info("{} {} in {}", new_logs, new_logs == 1 ? "log" : "logs", logs.directory);
  if (wants_analysis) return print_analysis(logs, run);
  spdlog::info("analyse them with: tauprof analyze {}{}", logs.directory, logs.options());
  return true;
}

// Each rank that a launcher starts does this when it has ended: the last one finds the logs of all.
bool reduce_here(const std::string& logs) {
  const std::string directory = logs + "-timelines";
  Reduction reduction;
  std::vector<std::string> notes;
  const Status status = reduce_own_logs(logs, directory, reduction, notes);
  for (const std::string& note : notes) spdlog::warn(note);
  if (!status.is_ok())
    spdlog::error(status.message());
  else if (speaks_for_host())
    spdlog::info("reduced to timelines in {}", directory);
  return status.is_ok();
}

// Prepares the environment in which the command is to run. 0, or the status to exit with.
int prepare(const std::vector<std::string>& command) {
  const std::string library = find_in_library_folder("libtauprof.so", "TAUPROF_LIBRARY");
  if (library.empty()) return kWrongUsage;
  const PreloadCheck check = check_preload(command[0], variable_or("PATH", "/bin:/usr/bin"));
  switch (check.effect) {
    case PreloadEffect::kLoads:
      break;
    case PreloadEffect::kNotFound:
      spdlog::error("{}", check.reason);
      return kCommandNotFound;
    case PreloadEffect::kCannotRun:
      spdlog::error("{}", check.reason);
      return kCommandCannotRun;
    case PreloadEffect::kIgnored:
      spdlog::warn("{}; it runs, but is not recorded", check.reason);
      break;
    case PreloadEffect::kBreaks:
      spdlog::warn("{}; it runs without it, and is not recorded", check.reason);
      return 0;
    case PreloadEffect::kNotHere:
      spdlog::warn("{}; it runs, and only what it starts can be recorded", check.reason);
      break;
  }
  return put_in_front_of_preload(library) ? 0 : kWrongUsage;
}

// The exit status if the command succeeded.
int status_of_success(bool is_concluded, const ParameterAudit* audit, const RunOptions& options) {
  using Outcome = ParameterAudit::Outcome;
  const Outcome outcome = audit != nullptr ? audit->conclude() : Outcome::kSafe;
  if (!is_concluded) return kNothingUsable;
  if (!options.checks_audit || outcome == Outcome::kSafe) return 0;
  return outcome == Outcome::kUnsafe ? kParametersUnused : kNothingUsable;
}

}  // namespace

int run_recorded(const RunOptions& options) {
  std::vector<std::string> command = options.command;
  if (const int refused = prepare(command); refused != 0) return refused;
  const std::string directory = set_recorder_variables(options);
  if (const int error = cannot_write_to(directory); error != 0) {
    spdlog::error("{}: no log can be written there: {}; choose another directory with -o", directory,
                  std::strerror(error));
    return kWrongUsage;
  }
  ParameterAudit audit;
  if (options.audits_parameters && !audit.prepare(options.shows_zero_gradients)) return kWrongUsage;
  if (options.is_on_null_gpu) command = on_null_gpu(command);
  if (command.empty()) return kWrongUsage;
  const bool reduces = wants_timelines(options);
  unsetenv("TAUPROF_REDUCE");  // the recorder need not say that it leaves it to us
  const std::set<std::string> before = logs_in(directory);
  const CommandOutcome outcome = run_command(command);
  if (outcome.status > kCommandNotFound && (options.is_on_null_gpu || options.is_on_simulated_gpus))
    remove_simulated_leftovers();
  if (outcome.start_error != 0) {
    spdlog::error("{}: {}", command[0], std::strerror(outcome.start_error));
    return outcome.start_error == ENOENT ? kCommandNotFound : kCommandCannotRun;
  }
  LeftLogs logs{directory, {}};
  if (options.runs_twice && outcome.status == 0) {
    logs.host_times = directory + "-host-times";
    setenv("TAUPROF_DIR", logs.host_times.c_str(), 1);
    setenv("TAUPROF_DEVICE_TIMING", "off", 1);
    if (const CommandOutcome again = run_command(command); again.status != 0) {
      spdlog::error("the second run, for the host's times, ended with status {}; tauprof analyze {} has the first",
                    again.status, directory);
      return again.status;
    }
  }
  const size_t new_logs = count_new_logs(directory, before);
  const bool is_concluded = conclude(logs, new_logs, options);
  const bool is_reduced = new_logs == 0 || !reduces || reduce_here(directory);
  int status = status_of_success(is_concluded, options.audits_parameters ? &audit : nullptr, options);
  if (status == 0 && !is_reduced) status = kFailed;
  return outcome.status == 0 ? status : outcome.status;
}

void add_run_command(CommandLine& line) {
  Command command = line.add("run", "Run a command and record what its GPUs do");
  const auto options = std::make_shared<RunOptions>();
  add_run_options(command, *options);
  command.footer(
      "Examples:\n"
      "  tauprof run -- torchrun --nproc-per-node 8 train.py\n"
      "  tauprof run --start-step 100 --steps 20 --stacks slow -- python train.py\n"
      "  tauprof run --report -- ./training --ranks 4     # and print the report\n"
      "  tauprof run --twice --report -- python train.py  # as if without tauprof\n"
      "\n"
      "Exits with the command's status, or with 128+n if signal n ended it.");
  command.run([options] { return run_recorded(*options); });
}

}  // namespace tauprof
