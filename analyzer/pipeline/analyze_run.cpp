#include "pipeline/analyze_run.h"

#include <utility>

#include "findings/savings.h"
#include "findings/verdict.h"
#include "pipeline/analyze_operations.h"
#include "pipeline/run_words.h"

namespace tauprof {

Status analyze_run(const AnalysisOptions& options, Report& report, std::vector<std::string>& notes) {
  ReplayedRun run;
  return analyze_run(options, run, report, notes);
}

Status analyze_run(const AnalysisOptions& options, ReplayedRun& run, Report& report, std::vector<std::string>& notes) {
  if (const Status loaded = load_run(options, run, notes); !loaded.is_ok()) return loaded;
  if (!run.operations.empty()) {
    report.facts = std::move(run.facts);
    if (options.ranks)
      notes.push_back(options.name() + ": an operation trace is about all its ranks; --ranks is ignored");
    return analyze_operations(run.operations, options.steps, report, notes);
  }
  report.savings = price_findings(*run.graph, run.ranks, run.disturbance, run.findings);
  report.savings.limited_to = run.limited_to();
  if (run.graph->reason().empty()) report.savings.left_out_steps = run.known_steps.left_out();
  report.disturbance = run.disturbance;
  report.batch = options.batch;
  report.tokens = options.tokens;
  report.logs = logs_of(run.given.empty() ? options.paths : run.given);
  report.choice = options_of(options);
  report.facts = std::move(run.facts);
  report.metrics = std::move(run.metrics);
  report.findings = std::move(run.findings);
  report.verdict = verdict_of(report.facts, report.metrics, report.findings, report.savings);
  return Status::ok();
}

}  // namespace tauprof
