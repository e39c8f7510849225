// tauprof import: turns traces of other profilers into logs.
#include <fmt/format.h>

#include <cstdio>
#include <memory>
#include <string>

#include "cli/commands.h"
#include "cli/exit_status.h"
#include "cli/progress_line.h"
#include "export/output_place.h"
#include "import/import_kineto.h"
#include "import/import_operations.h"
#include "model/terminal_text.h"
#include "pipeline/analyze_operations.h"

namespace tauprof {
namespace {

struct ImportOptions {
  std::string format;
  std::string source;
  std::string directory;
};

std::string counted(uint64_t count, const char* one, const char* many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

template <size_t kSize>
void print_counts(const char* title, const std::array<uint64_t, kSize>& counts,
                  const std::array<std::string_view, kSize>& names) {
  std::string list;
  for (size_t i = 0; i < kSize; ++i)
    if (counts[i] > 0) list += fmt::format("{}{} {}", list.empty() ? "" : ", ", counts[i], names[i]);
  if (!list.empty()) fmt::print("  {}: {}\n", title, list);
}

void print_summary(const kineto::ImportSummary& summary, const std::string& directory) {
  fmt::print("Imported {} into {}: {}, {}, {}\n", counted(summary.logs.size(), "file", "files"),
             terminal_text(directory), counted(summary.ranks, "rank", "ranks"), counted(summary.runs, "run", "runs"),
             counted(summary.counts.imported_events(), "event", "events"));
  print_counts("imported", summary.counts.imported, kineto::kImportedNames);
  print_counts("skipped", summary.counts.skipped, kineto::kSkippedNames);
  print_counts("dropped", summary.counts.dropped, kineto::kDroppedNames);
  if (summary.failed_files > 0) fmt::print("  {} left out\n", counted(summary.failed_files, "file", "files"));
}

// What is not complete lies in a folder that does not outlive the command.
LogPlace place_of_logs(const ImportOptions& options, OutputPlace& unfinished) {
  LogPlace place(options.directory);
  place.make_folder = [&unfinished](const std::string& directory, std::string& folder) {
    const Status status = unfinished.open(directory + "/import", OutputKind::kDirectory);
    folder = unfinished.hidden();
    return status;
  };
  return place;
}

int import_traces(const ImportOptions& options) {
  kineto::ImportSummary summary;
  OutputPlace unfinished;
  LogPlace place = place_of_logs(options, unfinished);
  const Status status = with_progress([&](Progress* progress) {
    place.progress = progress;
    return kineto::import_kineto(options.source, place, summary);
  });
  for (const std::string& message : summary.messages)
    fmt::print(stderr, "tauprof import: {}\n", terminal_text(message));
  if (!status.is_ok()) fmt::print(stderr, "tauprof import: {}\n", terminal_text(status.message()));
  if (!status.is_ok() || summary.logs.empty()) return kNothingUsable;
  print_summary(summary, options.directory);
  return kDone;
}

int import_operation_trace(const ImportOptions& options) {
  OperationImport result;
  OutputPlace unfinished;
  const Status status = import_operations(options.source, place_of_logs(options, unfinished), check_operations, result);
  if (!status.is_ok()) {
    fmt::print(stderr, "tauprof import: {}\n", terminal_text(status.message()));
    return kNothingUsable;
  }
  fmt::print("Imported 1 file into {}: {}, {}, {}\n", terminal_text(options.directory),
             counted(result.ranks, "rank", "ranks"), counted(result.steps, "step", "steps"),
             counted(result.operations, "operation", "operations"));
  return kDone;
}

}  // namespace

void add_import_command(CommandLine& line) {
  Command command = line.add("import", "Turn traces of other profilers into logs");
  const auto options = std::make_shared<ImportOptions>();
  command
      .option(
          "FORMAT", options->format,
          "kineto: traces of the PyTorch profiler (.json, .json.gz); ops-csv: the operation trace of a training job "
          "(.csv, .csv.gz) with a meta.yaml beside it")
      .required()
      .one_of({"kineto", "ops-csv"});
  command.option("SRC", options->source, "A trace, or a directory: with one trace per rank (kineto), or with one trace")
      .required();
  command.option("-o,--output", options->directory, "Directory for the logs; made if missing").required().not_empty();
  command.footer(
      "Examples:\n"
      "  tauprof import kineto traces -o logs && tauprof analyze logs\n"
      "  tauprof import ops-csv job/trace.csv.gz -o logs");
  command.run(
      [options] { return options->format == "kineto" ? import_traces(*options) : import_operation_trace(*options); });
}

}  // namespace tauprof
