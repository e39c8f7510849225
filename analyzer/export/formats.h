// The formats that a run can be exported to.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "export/output_place.h"
#include "export/run_writer.h"

namespace tauprof {

struct ExportFormat {
  std::string_view name;
  OutputKind kind;
  std::string_view meaning;
  std::unique_ptr<RunWriter> (*writer)(const std::string& path);
  bool has_phase_slices = false;
  bool keeps_order = false;  // what it writes is in the order in which the logs have it
  bool has_paths = false;    // it is made of the timelines' paths, and given no events
};

std::span<const ExportFormat> export_formats();

}  // namespace tauprof
