#include "export/formats.h"

#include <array>

namespace tauprof {

std::span<const ExportFormat> export_formats() {
  static constexpr std::array kFormats = {
      ExportFormat{"perfetto", OutputKind::kFile, "a timeline for ui.perfetto.dev", perfetto_writer, true},
      ExportFormat{"sqlite", OutputKind::kFile, "a database with tables and views", sqlite_writer},
      ExportFormat{"csv", OutputKind::kDirectory, "the same tables, a file each", csv_writer},
      ExportFormat{"kineto", OutputKind::kDirectory, "traces as PyTorch's profiler writes them, a file per rank",
                   kineto_writer, false, true},
      ExportFormat{"speedscope", OutputKind::kFile, "flame graphs of device and host time for www.speedscope.app",
                   speedscope_writer, false, false, true},
  };
  return kFormats;
}

}  // namespace tauprof
