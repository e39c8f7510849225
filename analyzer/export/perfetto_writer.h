// A run as a trace in Perfetto's native format, for ui.perfetto.dev (docs/export.md).
#pragma once

#include <memory>
#include <string>

#include "export/run_writer.h"

namespace tauprof {

// Writes the file `path`.
std::unique_ptr<RunWriter> perfetto_writer(const std::string& path);

}  // namespace tauprof
