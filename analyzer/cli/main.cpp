// The tauprof command: chooses the subcommand and turns every failure into one line and a status.
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <exception>

#include "cli/commands.h"

#ifndef TAUPROF_VERSION
#error "the build defines TAUPROF_VERSION"
#endif

int main(int argc, char** argv) {
  constexpr int kFailed = 1, kWrongUsage = 2;
  int exit_code = 0;
  spdlog::set_default_logger(spdlog::stderr_logger_st("tauprof"));
  spdlog::set_pattern("tauprof: %v");
  CLI::App app("tauprof: where the time of a distributed GPU training run goes, and why", "tauprof");
  app.set_version_flag("--version", "tauprof " TAUPROF_VERSION);
  app.require_subcommand(1);
  tauprof::add_run_command(app, exit_code);
  tauprof::add_analyze_command(app, exit_code);
  tauprof::add_import_command(app, exit_code);
  tauprof::add_dump_command(app, exit_code);
  tauprof::add_check_command(app, exit_code);
  std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
  tauprof::mark_command(words);
  std::reverse(words.begin(), words.end());  // as CLI11 wants them
  try {
    app.parse(words);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : kWrongUsage;
  } catch (const std::exception& error) {
    spdlog::critical("{}", error.what());
    return kFailed;
  }
  return exit_code;
}
