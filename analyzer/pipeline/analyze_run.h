// One analysis, from a log directory to a report.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/status.h"
#include "pipeline/replayed_run.h"
#include "report/report.h"

namespace tauprof {

struct AnalysisOptions : RunChoice {
  std::optional<double> batch;
  std::optional<double> tokens;
};

// Adds a line to `notes` for everything that was left out or assumed, also on failure.
Status analyze_run(const AnalysisOptions& options, Report& report, std::vector<std::string>& notes);

// The same, and leaves in `run` what a report does not keep: the ranks' timelines, their matched collectives, and an
// operation trace, of which nothing else is filled.
Status analyze_run(const AnalysisOptions& options, ReplayedRun& run, Report& report, std::vector<std::string>& notes);

}  // namespace tauprof
