#include "import/formats.h"

#include <fmt/format.h>

#include <array>

#include "import/import_kineto.h"
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

Status import_traces(const ImportRequest& request, ImportResult& result) {
  kineto::ImportSummary summary;
  Status status = kineto::import_kineto(request.source, request.place, summary);
  result.messages = std::move(summary.messages);
  result.logs = std::move(summary.logs);
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
  OperationImport imported;
  Status status = import_operations(request.source, request.place, request.check_operations, imported);
  if (!status.is_ok()) return status;
  result.logs = {std::move(imported.log)};
  result.counts =
      fmt::format("{}, {}, {}", counted(imported.ranks, "rank", "ranks"), counted(imported.steps, "step", "steps"),
                  counted(imported.operations, "operation", "operations"));
  return status;
}

}  // namespace

std::span<const ImportFormat> import_formats() {
  static constexpr std::array kFormats = {
      ImportFormat{"kineto", "traces of the PyTorch profiler (.json, .json.gz)", "one trace per rank", import_traces},
      ImportFormat{"ops-csv", "the operation trace of a training job (.csv, .csv.gz) with a meta.yaml beside it",
                   "one trace", import_operation_trace},
  };
  return kFormats;
}

std::string counted(uint64_t count, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

}  // namespace tauprof
