#include "import/formats.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "import/import_kineto.h"
#include "import/nsys/import_nsys.h"
#include "import/operations/import_operations.h"

namespace tauprof {
namespace {

template <size_t kSize>
void add_counts(const char* title, const std::array<uint64_t, kSize>& counts,
                const std::array<std::string_view, kSize>& names, std::vector<std::string>& lines) {
  std::string list;
  for (size_t i = 0; i < kSize; ++i)
    if (counts[i] > 0) list += fmt::format("{}{} {}", list.empty() ? "" : ", ", counts[i], names[i]);
  if (!list.empty()) lines.push_back(fmt::format("{}: {}", title, list));
}

using TraceImport = Status (*)(const std::vector<std::string>&, const LogPlace&, kineto::ImportSummary&);

template <TraceImport kImport>
Status import_traces(const ImportRequest& request, ImportResult& result) {
  kineto::ImportSummary summary;
  Status status = kImport(request.sources, request.place, summary);
  result.messages = std::move(summary.messages);
  result.logs = std::move(summary.logs);
  result.sources = std::move(summary.sources);
  result.failed_files = summary.failed_files;
  result.damaged_files = summary.damaged_files;
  result.counts =
      fmt::format("{}, {}, {}", counted(summary.ranks, "rank", "ranks"), counted(summary.runs, "run", "runs"),
                  counted(summary.counts.imported_events(), "event", "events"));
  add_counts("imported", summary.counts.imported, kineto::kImportedNames, result.details);
  add_counts("skipped", summary.counts.skipped, kineto::kSkippedNames, result.details);
  add_counts("dropped", summary.counts.dropped, kineto::kDroppedNames, result.details);
  if (summary.failed_files > 0) result.details.push_back(counted(summary.failed_files, "file", "files") + " left out");
  return status;
}

Status import_operation_trace(const ImportRequest& request, ImportResult& result) {
  OperationImport sum;
  Status failure = Status::ok();
  for (const std::string& source : request.sources) {
    OperationImport imported;
    Status status = import_operations(source, request.place, request.check_operations, imported);
    if (!status.is_ok()) {
      if (!failure.is_ok()) result.messages.push_back(failure.message());
      failure = std::move(status);
      ++result.failed_files;
      continue;
    }
    result.logs.push_back(std::move(imported.log));
    result.sources.push_back(std::move(imported.table));
    sum.ranks += imported.ranks;
    sum.steps += imported.steps;
    sum.operations += imported.operations;
  }
  if (result.logs.empty()) return failure;
  if (!failure.is_ok()) result.messages.push_back(failure.message());
  result.counts = fmt::format("{}, {}, {}", counted(sum.ranks, "rank", "ranks"), counted(sum.steps, "step", "steps"),
                              counted(sum.operations, "operation", "operations"));
  return Status::ok();
}

}  // namespace

std::span<const ImportFormat> import_formats() {
  static constexpr std::array kFormats = {
      ImportFormat{"kineto", InputKind::kTrace, "traces of the PyTorch profiler", ".json, .json.gz",
                   "one trace per rank", import_traces<kineto::import_kineto>},
      ImportFormat{"nsys", InputKind::kNsysDatabase, "SQLite exports of nsys", "nsys export --type sqlite",
                   "one database per rank or host", import_traces<nsys::import_nsys>},
      ImportFormat{"ops-csv", InputKind::kOperations, "operation traces of a training job",
                   ".csv, .csv.gz, with a meta.yaml beside it", "one trace", import_operation_trace},
  };
  return kFormats;
}

bool is_imported(InputKind kind) {
  const auto formats = import_formats();
  return std::any_of(formats.begin(), formats.end(), [&](const ImportFormat& format) { return format.kind == kind; });
}

std::string traces_of_all_formats() {
  std::string list;
  for (const ImportFormat& format : import_formats())
    list += fmt::format("{}{}", list.empty() ? "" : ", ", format.traces);
  return list;
}

std::string counted(uint64_t count, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

}  // namespace tauprof
