// tauprof reduce: what an analysis keeps of logs, a file for each host.
#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <cstdio>
#include <fstream>
#include <iostream>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "cli/exit_status.h"
#include "cli/progress_line.h"
#include "import/formats.h"
#include "model/terminal_text.h"
#include "pipeline/reduce_logs.h"

namespace tauprof {
namespace {

struct ReduceArguments {
  std::vector<std::string> paths;
  std::string only, directory;
};

// A line each, of standard input or of a file.
std::optional<std::set<std::string>> names_in(const std::string& list) {
  std::ifstream file;
  if (list != "-") file.open(list);
  std::istream& lines = list == "-" ? std::cin : file;
  if (!lines) return std::nullopt;
  std::set<std::string> names;
  for (std::string line; std::getline(lines, line);)
    if (!line.empty()) names.insert(line);
  return names;
}

int reduce(const ReduceArguments& arguments) {
  Reduction reduction;
  std::vector<std::string> notes;
  std::optional<std::set<std::string>> only;
  if (!arguments.only.empty() && !(only = names_in(arguments.only))) {
    spdlog::error("reduce: --only: {}: cannot be read; name a file with names of logs, one a line, or -",
                  arguments.only);
    return kWrongUsage;
  }
  const Status status = with_progress([&](Progress* progress) {
    return reduce_logs(arguments.paths, only, arguments.directory, progress, reduction, notes);
  });
  for (const std::string& note : notes) spdlog::warn(note);
  if (!status.is_ok()) {
    spdlog::error(status.message());
    return reduction.cannot_write ? kFailed : kNothingUsable;
  }
  fmt::print("Reduced {} into {} in {}\n", counted(reduction.made + reduction.kept, "log", "logs"),
             counted(reduction.files.size(), "file", "files"), terminal_text(arguments.directory));
  if (reduction.kept > 0)
    fmt::print("  {} of them had been reduced before and have not changed since\n", reduction.kept);
  return reduction.skipped > 0 ? kDamageFound : kDone;
}

}  // namespace

void add_reduce_command(CommandLine& line) {
  Command command = line.add("reduce", "Keep of logs what comparing ranks needs, a file for each host");
  const auto arguments = std::make_shared<ReduceArguments>();
  command
      .option("DIR", arguments->paths,
              "Logs, or directories of them; traces become logs first, by tauprof import (docs/importing.md)")
      .required()
      .not_empty();
  command.option("-o,--output DIR", arguments->directory, "Directory for the timelines; made if missing")
      .required()
      .not_empty();
  command.option("--only FILE", arguments->only,
                 "Names of the logs in DIR that are meant, one a line (-: standard input)");
  command.footer(
      "Examples:\n"
      "  tauprof reduce logs -o timelines && tauprof analyze timelines\n"
      "  srun --ntasks-per-node=1 tauprof reduce /local/logs -o /shared/timelines\n"
      "What is done already is not done again, also after a call that was killed.");
  command.run([arguments] { return reduce(*arguments); });
}

}  // namespace tauprof
