// The tauprof command: runs the subcommand and turns every failure into one line and an exit status.
#include <spdlog/spdlog.h>

#include <algorithm>
#include <exception>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cli/commands.h"
#include "cli/exit_status.h"
#include "cli/terminal_sink.h"

#ifndef TAUPROF_VERSION
#error "the build defines TAUPROF_VERSION"
#endif

int main(int argc, char** argv) {
  spdlog::set_default_logger(std::make_shared<spdlog::logger>("tauprof", std::make_shared<tauprof::TerminalSink>()));
  tauprof::CommandLine line("tauprof", "tauprof: where the time of a distributed GPU training run goes, and why",
                            "tauprof " TAUPROF_VERSION);
  tauprof::add_run_command(line);
  tauprof::add_analyze_command(line);
  tauprof::add_diff_command(line);
  tauprof::add_health_command(line);
  tauprof::add_whatif_command(line);
  tauprof::add_demo_command(line);
  tauprof::add_export_command(line);
  tauprof::add_import_command(line);
  tauprof::add_dump_command(line);
  tauprof::add_check_command(line);
  tauprof::add_completion_command(line);
  tauprof::add_man_command(line, "tauprof " TAUPROF_VERSION);
  std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
  tauprof::mark_command(words);
  try {
    return line.run(std::move(words));
  } catch (const std::exception& error) {
    spdlog::critical("{}", error.what());
    return tauprof::kFailed;
  }
}
