#include "export/formats.h"

#include <array>

#include "export/perfetto_writer.h"

namespace tauprof {

std::span<const ExportFormat> export_formats() {
  static constexpr std::array kFormats = {
      ExportFormat{"perfetto", OutputKind::kFile, "a timeline for ui.perfetto.dev", perfetto_writer},
  };
  return kFormats;
}

}  // namespace tauprof
