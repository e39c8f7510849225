// The formats that a run can be exported to, and their writers.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "export/output_place.h"
#include "export/run_writer.h"

namespace tauprof {

// The writers of the formats, each for the file or directory `path`, which is there and empty.
// Traces of PyTorch's profiler, rank-N.json.gz in a directory, for HolisticTraceAnalysis, TensorBoard and others.
std::unique_ptr<RunWriter> kineto_writer(const std::string& path);
// A trace in Perfetto's native format, for ui.perfetto.dev (docs/export.md).
std::unique_ptr<RunWriter> perfetto_writer(const std::string& path);
// Profiles for https://www.speedscope.app: each rank's paths (model/call_path.h), once weighted with the time of the
// device work launched there, once with host time, over the analysed steps.
std::unique_ptr<RunWriter> speedscope_writer(const std::string& path);
// The same tables, in a SQLite database and as CSV files in a directory.
std::unique_ptr<RunWriter> sqlite_writer(const std::string& path);
std::unique_ptr<RunWriter> csv_writer(const std::string& path);

struct ExportFormat {
  std::string_view name;
  OutputKind kind;
  std::string_view meaning;
  std::unique_ptr<RunWriter> (*writer)(const std::string& path);
  bool has_phase_slices = false;
  bool keeps_order = false;  // its output is in the order of the logs
  bool has_paths = false;    // it is made of the timelines' paths, and given no events
};

std::span<const ExportFormat> export_formats();

}  // namespace tauprof
