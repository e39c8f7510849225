// The tauprof command: runs the subcommand and turns every failure into one line and an exit status.
#include <fcntl.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <iostream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cli/commands.h"
#include "cli/exit_status.h"
#include "cli/printed_report.h"
#include "cli/terminal_sink.h"
#include "log/file_calls.h"

#ifndef TAUPROF_VERSION
#error "the build defines TAUPROF_VERSION"
#endif

namespace {

// A file that is opened later must not become standard output because that was closed: what is printed would go there.
void keep_closed_output_closed() {
  if (fcntl(STDOUT_FILENO, F_GETFD) >= 0 || errno != EBADF) return;
  const int unwritable = open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (unwritable < 0 || unwritable == STDOUT_FILENO) return;
  dup3(unwritable, STDOUT_FILENO, O_CLOEXEC);
  close(unwritable);
}

// A command's output may still have to be written; a full disk or a closed pipe is a failure like any other.
int with_output_written(int status) {
  std::cout.flush();
  if (fflush(stdout) == 0 && ferror(stdout) == 0 && std::cout.good()) return status;
  if (status != tauprof::kDone) return status;
  spdlog::error("standard output: cannot be written: {}", std::strerror(errno));
  return tauprof::kFailed;
}

}  // namespace

int main(int argc, char** argv) {
  keep_closed_output_closed();
  tauprof::log::is_process_ours = true;
  spdlog::set_default_logger(std::make_shared<spdlog::logger>("tauprof", std::make_shared<tauprof::TerminalSink>()));
  tauprof::CommandLine line("tauprof", "Where the time of a distributed GPU training run goes, and why",
                            "tauprof " TAUPROF_VERSION, tauprof::style_of_stdout().width);
  tauprof::add_run_command(line);
  tauprof::add_analyze_command(line);
  tauprof::add_why_command(line);
  tauprof::add_diff_command(line);
  tauprof::add_health_command(line);
  tauprof::add_whatif_command(line);
  tauprof::add_demo_command(line);
  tauprof::add_export_command(line);
  tauprof::add_import_command(line);
  tauprof::add_reduce_command(line);
  tauprof::add_dump_command(line);
  tauprof::add_check_command(line);
  tauprof::add_completion_command(line);
  tauprof::add_man_command(line, "tauprof " TAUPROF_VERSION);
  std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
  tauprof::mark_command(words);
  try {
    return with_output_written(line.run(std::move(words)));
  } catch (const std::exception& error) {
    spdlog::critical("{}", error.what());
    return tauprof::kFailed;
  }
}
