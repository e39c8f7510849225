// What `tauprof run` is asked to do: its options, and the recorder's variables that they stand for.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

namespace tauprof {

struct RunOptions {
  std::vector<std::string> settings;  // in the order of the table of settings; empty: not given
  bool reports = false;
  std::optional<double> batch;
  bool is_on_null_gpu = false;
  bool audits_parameters = false;
  bool checks_audit = false;
  bool shows_zero_gradients = false;
  std::vector<std::string> command;
};

// `options` must live as long as the subcommand.
void add_run_options(CLI::App& subcommand, RunOptions& options);

// Sets the recorder's variables. Gives the log directory, made absolute: the command may change its own.
std::string set_recorder_variables(const RunOptions& options);

// The variable's value; `otherwise` where it is absent or empty.
std::string variable_or(const char* name, const char* otherwise);

}  // namespace tauprof
