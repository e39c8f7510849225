// The writers of the formats, each for the file or directory `path`, which is there and empty.
#pragma once

#include <memory>
#include <string>

#include "export/run_writer.h"

namespace tauprof {

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

}  // namespace tauprof
