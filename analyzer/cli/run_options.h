// The options of `tauprof run`, and the recorder's environment variables that most of them set.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/command_line.h"

namespace tauprof {

struct RunOptions {
  std::vector<std::string> settings;  // parallel to the list of settings, or none; empty: not given
  bool reports = false;
  bool runs_twice = false;  // once with device times, once for the host's times
  bool reduces = false;     // the logs become timelines, too
  std::optional<double> batch;
  bool is_on_null_gpu = false;
  bool is_on_simulated_gpus = false;  // whose command says so itself
  bool audits_parameters = false;
  bool checks_audit = false;
  bool shows_zero_gradients = false;
  std::vector<std::string> command;
};

// `options` must live until the subcommand has run.
void add_run_options(Command& command, RunOptions& options);

// Sets the recorder's variables. Returns the log directory as an absolute path, as the command may change directory.
std::string set_recorder_variables(const RunOptions& options);

// Runs the command under the recorder, says where its logs are and prints the report if it is wanted. The exit status.
int run_recorded(const RunOptions& options);

// The variable's value, or `otherwise` if it is absent or empty.
std::string variable_or(const char* name, const char* otherwise);

}  // namespace tauprof
