// The subcommands of tauprof. Each adds itself to `app` and, when it was chosen, leaves the
// process's exit status in `exit_code`.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace tauprof {

void add_run_command(CLI::App& app, int& exit_code);
void add_analyze_command(CLI::App& app, int& exit_code);
void add_import_command(CLI::App& app, int& exit_code);
void add_dump_command(CLI::App& app, int& exit_code);
void add_check_command(CLI::App& app, int& exit_code);

// Puts "--" before the command of `tauprof run`, whose options are not ours. `words`: what stands behind "tauprof".
void mark_command(std::vector<std::string>& words);

}  // namespace tauprof
