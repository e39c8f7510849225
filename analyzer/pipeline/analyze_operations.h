// The analysis of an imported operation trace: there are no spans, only the operations of a job to replay.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/operation_trace.h"
#include "model/process_trace.h"
#include "model/status.h"
#include "model/step_range.h"
#include "report/report.h"

namespace tauprof {

// A log that holds an operation trace.
struct OperationLog {
  std::string file;
  std::string source;
  OperationTrace trace;
  RecordingQuality quality;
};

// Fills the report but for what the run's directory tells. `notes`: a line for what is left out.
Status analyze_operations(const std::vector<OperationLog>& logs, const std::optional<StepRange>& steps, Report& report,
                          std::vector<std::string>& notes);

// Whether a trace could be analysed. The message names no file.
Status check_operations(const OperationTrace& trace);

}  // namespace tauprof
