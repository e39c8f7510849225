// tauprof import: turns traces of other profilers into logs.
#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "cli/exit_status.h"
#include "cli/progress_line.h"
#include "export/output_place.h"
#include "import/formats.h"
#include "import/input_files.h"
#include "import/log_place.h"
#include "model/terminal_text.h"
#include "pipeline/analyze_operations.h"
#include "read/log_directory.h"
#include "read/log_reader.h"
#include "read/recorded_state.h"

namespace tauprof {
namespace {

struct ImportOptions {
  std::string format;
  std::string source;
  std::string directory;
};

// The runs of logs in a directory by the digests of what they were imported from.
std::map<std::string, std::string> imported_runs(const std::vector<LogRun>& runs) {
  std::map<std::string, std::string> known;
  for (const LogRun& run : runs)
    for (const std::string& file : run.files) {
      std::unique_ptr<LogReader> reader;
      if (!LogReader::open(file, reader).is_ok()) continue;
      ProcessTrace trace;
      RecordedState state(trace);
      RecordBlock block;
      while (reader->next(block)) state.take(block);
      state.finish();
      if (const auto digest = trace.attributes.find(kSourceDigest); digest != trace.attributes.end())
        known[digest->second] = run.id;
    }
  return known;
}

std::vector<LogRun> runs_in(const std::string& directory) {
  LogDirectory found;
  return holds_logs(directory) && find_logs({directory}, found).is_ok() ? found.runs : std::vector<LogRun>();
}

// Incomplete logs lie in a folder that does not outlive the command.
LogPlace place_of_logs(const ImportOptions& options, OutputPlace& unfinished) {
  LogPlace place(options.directory);
  place.make_folder = [&unfinished](const std::string& directory, std::string& folder) {
    const Status status = unfinished.open(directory + "/import", OutputKind::kDirectory);
    folder = unfinished.hidden();
    return status;
  };
  return place;
}

const ImportFormat& import_format(const std::string& name) {
  const auto formats = import_formats();
  return *std::find_if(formats.begin(), formats.end(), [&](const ImportFormat& one) { return one.name == name; });
}

// Further runs are meant to lie in one directory where a job was restarted or recorded in cycles; it is said, as a
// report is about one of them.
void say_runs(const std::string& directory) {
  const std::vector<LogRun> runs = runs_in(directory);
  std::string list;
  for (const LogRun& run : runs) list += (list.empty() ? "" : ", ") + run.id;
  fmt::print("  {} now holds {} runs: {}; tauprof analyze takes the newest with all its ranks, --run ID another\n",
             terminal_text(directory), runs.size(), terminal_text(list));
}

int import_into_logs(const ImportOptions& options) {
  const std::vector<LogRun> before = runs_in(options.directory);
  const std::map<std::string, std::string> known = imported_runs(before);
  OutputPlace unfinished;
  ImportRequest request{{options.source}, place_of_logs(options, unfinished), check_operations};
  request.place.run_of = [&known](const std::string& digest) {
    const auto run = known.find(digest);
    return run == known.end() ? std::string() : run->second;
  };
  ImportResult result;
  const Status status = with_progress([&](Progress* progress) {
    request.place.progress = progress;
    return import_format(options.format).import(request, result);
  });
  for (const std::string& message : result.messages) spdlog::warn(message);
  if (!status.is_ok()) spdlog::error(status.message());
  if (!status.is_ok() || result.logs.empty()) return kNothingUsable;
  fmt::print("Imported {} into {}: {}\n", counted(result.logs.size(), "file", "files"),
             terminal_text(options.directory), result.counts);
  for (const std::string& line : result.details) fmt::print("  {}\n", line);
  if (!before.empty()) say_runs(options.directory);
  return kDone;
}

}  // namespace

void add_import_command(CommandLine& line) {
  Command command = line.add("import", "Turn traces of other profilers into logs");
  const auto options = std::make_shared<ImportOptions>();
  std::vector<std::string> names;
  std::string meanings, sources;
  for (const ImportFormat& format : import_formats()) {
    names.emplace_back(format.name);
    meanings += fmt::format("{}{}: {} ({})", meanings.empty() ? "" : "; ", format.name, format.traces, format.files);
    sources += fmt::format("{}{} ({})", sources.empty() ? "" : ", or with ", format.folder, format.name);
  }
  command.option("FORMAT", options->format, meanings.c_str()).required().one_of(names);
  command.option("SRC", options->source, ("A trace, or a directory: with " + sources).c_str()).required();
  command.option("-o,--output DIR", options->directory, "Directory for the logs; made if missing")
      .required()
      .not_empty();
  command.footer(
      "Examples:\n"
      "  tauprof import kineto traces -o logs && tauprof analyze logs\n"
      "  tauprof import nsys reports -o logs\n"
      "  tauprof import ops-csv job/trace.csv.gz -o logs");
  command.run([options] { return import_into_logs(*options); });
}

}  // namespace tauprof
