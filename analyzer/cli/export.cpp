// tauprof export: a run for other tools.
#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "cli/child_command.h"
#include "cli/commands.h"
#include "cli/exit_status.h"
#include "cli/progress_line.h"
#include "cli/run_choice.h"
#include "cli/run_options.h"
#include "export/formats.h"
#include "export/located_events.h"
#include "model/large_blocks.h"
#include "pipeline/analyze_run.h"
#include "pipeline/visit_traces.h"

namespace tauprof {
namespace {

struct ExportArguments {
  std::vector<std::string> paths;
  std::string format, output, run, ranks, steps, rules;
  uint64_t memory = 768;  // MB
};

const ExportFormat& format_named(const std::string& name) {
  const auto formats = export_formats();
  return *std::find_if(formats.begin(), formats.end(), [&](const ExportFormat& format) { return format.name == name; });
}

// Errors of the input and errors of the output have different exit statuses.
int complain(const Status& status, int exit_status) {
  spdlog::error(status.message());
  return exit_status;
}

int analyze_for_export(const ExportArguments& arguments, const ExportFormat& format, ReplayedRun& run, Report& report,
                       PhaseRules& rules, Progress* progress) {
  AnalysisOptions options;
  options.is_as_recorded = true;
  options.has_paths = format.has_paths;
  options.paths = arguments.paths;
  if (!arguments.run.empty()) options.run = arguments.run;
  if (!arguments.ranks.empty()) options.ranks = parse_ranks(arguments.ranks);
  if (!arguments.steps.empty()) options.steps = parse_steps(arguments.steps);
  if (!arguments.rules.empty()) options.rules = arguments.rules;
  options.progress = progress;
  if (const Status status = read_rules(options.rules, rules); !status.is_ok()) return complain(status, kNothingUsable);
  std::vector<std::string> notes;
  const Status status = analyze_run(options, run, report, notes);
  for (const std::string& note : notes) spdlog::warn(note);
  if (!status.is_ok()) return complain(status, kNothingUsable);
  if (!run.operations.empty())
    return complain(Status::error(options.name() + ": an operation trace, which has no events of devices to export; "
                                                   "tauprof analyze --json writes its answers"),
                    kNothingUsable);
  // The replay's data take more memory than all else, and are no longer needed.
  run.graph.reset();
  for (RankTimeline& rank : run.ranks) rank.operations.reset();
  return kDone;
}

constexpr char kParquet[] = "parquet";

// Parquet is written by the Python package, from a database: its libraries are Python's.
int export_parquet(const ExportArguments& arguments) {
  constexpr char kCall[] =
      "import sys\n"
      "try:\n"
      "  from tauprof.parquet import main\n"
      "except ImportError:\n"
      "  sys.exit('tauprof: parquet is written by tauprof\\'s Python package, which ' + sys.executable + ' lacks: "
      "pip install it, with pyarrow (docs/install.md)')\n"
      "main()\n";
  std::error_code error;
  setenv("TAUPROF_PROGRAM", std::filesystem::read_symlink("/proc/self/exe", error).c_str(), 1);
  std::vector<std::string> command = {variable_or("TAUPROF_PYTHON_PROGRAM", "python3"), "-c", kCall, "-o",
                                      arguments.output};
  for (const auto& [option, value] : {std::pair("--run", arguments.run), std::pair("--ranks", arguments.ranks),
                                      std::pair("--steps", arguments.steps), std::pair("--rules", arguments.rules)})
    if (!value.empty()) command.insert(command.end(), {option, value});
  command.emplace_back("--");
  command.insert(command.end(), arguments.paths.begin(), arguments.paths.end());
  const CommandOutcome outcome = run_command(command);
  if (outcome.start_error == 0) return outcome.status;
  spdlog::error("{}: {}; parquet is written by tauprof's Python package", command[0],
                std::strerror(outcome.start_error));
  return kFailed;
}

Status changed(const std::string& file) {
  return Status::error(file + ": changed while it was read, its process still runs; export it when that has ended");
}

// Indices into the timelines, of those that the user chose.
std::vector<uint32_t> chosen_ranks(const ReplayedRun& replayed, const Report& report) {
  std::vector<uint32_t> chosen;
  for (uint32_t i = 0; i < replayed.ranks.size(); ++i)
    if (std::any_of(report.metrics.ranks.begin(), report.metrics.ranks.end(),
                    [&](const RankMetrics& rank) { return rank.rank == replayed.ranks[i].rank; }))
      chosen.push_back(i);
  return chosen;
}

// Reads the events and hands them to the format's writer. 0, or the status to exit with.
int write_run(const ExportArguments& arguments, const ReplayedRun& replayed, const Report& report,
              const PhaseRules& rules, const ExportFormat& format, OutputPlace& place, Progress* progress) {
  const std::unique_ptr<RunWriter> writer = format.writer(place.hidden());
  const std::vector<uint32_t> chosen = chosen_ranks(replayed, report);
  RunView run{report, replayed.ranks, replayed.matches, {}};
  if (!arguments.ranks.empty() || !arguments.steps.empty()) run.waiting = {chosen.begin(), chosen.end()};
  if (const Status status = writer->start(run); !status.is_ok()) return complain(place.in_words(status), kFailed);
  Status written = Status::ok();
  const auto write = [&](size_t rank, const ProcessTrace& trace, const DeviceTrace& device) {
    const RankTimeline& timeline = replayed.ranks[rank];
    if (device.spans.size() != timeline.spans || trace.calls.size() != timeline.calls) return changed(timeline.file);
    RankView view{static_cast<uint32_t>(rank), timeline, trace, device};
    if (!arguments.steps.empty()) view.shown = time_of_steps(timeline, report.metrics.steps.selection);
    return written = writer->add_rank(run, view);
  };
  SecondReading reading;
  reading.rules = &rules;
  reading.has_phase_slices = format.has_phase_slices;
  reading.keeps_order = format.keeps_order;
  reading.progress = progress;
  const std::vector<uint32_t> read = format.has_paths ? std::vector<uint32_t>() : chosen;
  if (const Status status = visit_traces(replayed.ranks, read, reading, write); !status.is_ok())
    return written.is_ok() ? complain(status, kNothingUsable) : complain(place.in_words(written), kFailed);
  if (progress) progress->start("finishing the output");
  if (const Status status = writer->finish(run); !status.is_ok()) return complain(place.in_words(status), kFailed);
  return kDone;
}

int export_run(const ExportArguments& arguments) {
  if (arguments.format == kParquet) return export_parquet(arguments);
  const ExportFormat& format = format_named(arguments.format);
  if (const Status status = OutputPlace::check(arguments.output, format.kind); !status.is_ok())
    return complain(status, kFailed);
  const std::filesystem::path parent = std::filesystem::path(arguments.output).parent_path();
  constexpr uint64_t kMegabyte = 1'000'000;
  limit_large_blocks(std::min(arguments.memory, SIZE_MAX / kMegabyte) * kMegabyte,
                     parent.empty() ? "." : parent.string());
  ReplayedRun replayed;
  Report report;
  PhaseRules rules;
  const int failed = with_progress(
      [&](Progress* progress) { return analyze_for_export(arguments, format, replayed, report, rules, progress); });
  if (failed != kDone) return failed;
  OutputPlace place;
  if (const Status status = place.open(arguments.output, format.kind); !status.is_ok())
    return complain(status, kFailed);
  const int unwritten = with_progress(
      [&](Progress* progress) { return write_run(arguments, replayed, report, rules, format, place, progress); });
  if (unwritten != kDone) return unwritten;
  if (const Status status = place.publish(); !status.is_ok()) return complain(status, kFailed);
  return kDone;
}

}  // namespace

void add_export_command(CommandLine& line) {
  Command command = line.add("export", "Write a run for other tools: Perfetto and others");
  const auto arguments = std::make_shared<ExportArguments>();
  std::vector<std::string> names;
  std::string meanings = "The format.";
  for (const ExportFormat& format : export_formats()) {
    names.emplace_back(format.name);
    meanings += fmt::format(" {}: {}.", format.name, format.meaning);
  }
  names.emplace_back(kParquet);
  meanings += fmt::format(" {}: a directory of the tables, by rank, with Python and pyarrow.", kParquet);
  add_logs(command, arguments->paths);
  command.option("-f,--format", arguments->format, meanings.c_str()).required().one_of(names);
  command
      .option("-o,--output PATH", arguments->output,
              "The file to write, which is replaced, or the directory, which must be empty or not there")
      .required()
      .not_empty();
  add_run_choice(command, arguments->run,
                 "Export this run of the directory (default: the newest with logs of all its ranks)");
  add_ranks_choice(
      command, arguments->ranks,
      "Events of these ranks only, e.g. 0,4-7, and blame by each of them that waits; waits cover all ranks");
  add_steps_choice(command, arguments->steps,
                   "Steps A to B only, e.g. 10:20: their rows and events, what was found in them, and blame by each "
                   "rank that waits");
  add_rules_choice(command, arguments->rules);
  command
      .option("--memory MB", arguments->memory,
              "Megabytes for the arrays of the analysis, by default 768. What needs more lies in a file beside the "
              "output while it is written, and takes longer")
      .positive();
  command.footer(
      "Examples:\n"
      "  tauprof export logs -f perfetto -o run.pftrace\n"
      "  tauprof export logs -f sqlite -o run.sqlite --steps 100:101 --ranks 0-3\n"
      "\n"
      "docs/export.md says what is in each format.");
  command.run([arguments] { return export_run(*arguments); });
}

}  // namespace tauprof
