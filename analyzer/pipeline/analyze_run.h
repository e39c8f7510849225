// One analysis, from a log directory to a report.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "model/status.h"
#include "model/step_range.h"
#include "report/report.h"

namespace tauprof {

struct AnalysisOptions {
  std::string path;                        // a log directory or one log
  std::optional<std::string> run;          // default: the newest
  std::optional<std::set<int32_t>> ranks;  // whose time is reported; waits always cover all ranks
  std::optional<StepRange> steps;
  std::optional<std::string> rules;  // a file of phase rules that come before the shipped ones
  std::optional<double> batch;
  std::optional<double> tokens;
  EfficiencyInput efficiency;
  std::function<void(size_t done, size_t total)> progress;
};

// Adds a line to `notes` for everything that was left out or assumed, also on failure.
Status analyze_run(const AnalysisOptions& options, Report& report, std::vector<std::string>& notes);

}  // namespace tauprof
