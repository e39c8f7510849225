// The subcommands of tauprof: each adds itself to the command line.
#pragma once

#include <string>
#include <vector>

#include "cli/command_line.h"

namespace tauprof {

void add_run_command(CommandLine& line);
void add_analyze_command(CommandLine& line);
void add_diff_command(CommandLine& line);
void add_health_command(CommandLine& line);
void add_whatif_command(CommandLine& line);
void add_why_command(CommandLine& line);
void add_demo_command(CommandLine& line);
void add_export_command(CommandLine& line);
void add_import_command(CommandLine& line);
void add_reduce_command(CommandLine& line);
void add_dump_command(CommandLine& line);
void add_check_command(CommandLine& line);
void add_completion_command(CommandLine& line);
void add_man_command(CommandLine& line, const char* version);

// Puts "--" before the command that `tauprof run` is to start, whose options are not ours. `words`: the arguments after
// "tauprof".
void mark_command(std::vector<std::string>& words);

}  // namespace tauprof
