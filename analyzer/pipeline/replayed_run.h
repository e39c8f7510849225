// A run from its logs: what was measured, and the graph of its operations, which can be replayed.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "findings/finding.h"
#include "metrics/run/run_metrics.h"
#include "model/disturbance.h"
#include "model/progress.h"
#include "model/run_facts.h"
#include "model/status.h"
#include "model/step_range.h"
#include "phases/phase_rules.h"
#include "pipeline/analyze_operations.h"
#include "pipeline/opened_inputs.h"
#include "replay/known_steps.h"
#include "replay/run_graph.h"
#include "undisturbed/retiming.h"

namespace tauprof {

struct RunChoice {
  // The paths, for messages.
  std::string name() const {
    return paths.empty() ? std::string() : paths.front() + (paths.size() > 1 ? " and others" : "");
  }

  std::vector<std::string> paths;          // logs, traces, and directories of them
  std::optional<std::string> run;          // default: the newest complete one
  std::optional<std::set<int32_t>> ranks;  // whose time is reported; waits always cover all ranks
  std::optional<StepRange> steps;
  std::optional<std::string> rules;  // a file of phase rules that come before the shipped ones
  EfficiencyInput efficiency;
  // The source of the host's undisturbed times (undisturbed/undisturbed_run.h): the length of a step, or logs of a run
  // with hooks alone. Neither: the run's own light steps, if it has any.
  std::optional<double> step_ns;
  std::vector<std::string> host_times;
  bool has_paths = false;       // time by operator, module and line is asked for
  bool is_as_recorded = false;  // whatever light steps tell
  Progress* progress = nullptr;
};

// Stays where it is: the graph refers to the ranks.
struct ReplayedRun {
  ReplayedRun() = default;
  ReplayedRun(const ReplayedRun&) = delete;
  ReplayedRun& operator=(const ReplayedRun&) = delete;
  // As it was made.
  void clear();
  // Which of the analysed steps are replayed, in words; empty: all.
  std::string limited_to() const;

  OpenedInputs inputs;             // the source of the logs, also when they are read again
  std::vector<std::string> given;  // the logs that were given, as timelines have it; empty: as the choice has it
  RunFacts facts;
  std::vector<RankTimeline> ranks;
  RunMetrics metrics;
  std::vector<Finding> findings;  // without prices
  std::vector<MatchedCollective> matches;
  std::vector<OperationLog> operations;  // of an operation trace, and then nothing else but the facts
  KnownSteps known_steps;
  std::optional<RunGraph> graph;  // about these
  Disturbance disturbance;
  Retimings retimings;  // where its logs' events take place; empty: as recorded
};

// The shipped rules for phases, after those of the file at `path`.
Status read_rules(const std::optional<std::string>& path, PhaseRules& rules);

// The run undisturbed, as far as `options` or light steps tell how that was; else as recorded, and the disturbance says
// why. Adds a line to `notes` for everything that was left out or assumed, also on failure.
Status load_run(const RunChoice& options, ReplayedRun& replayed, std::vector<std::string>& notes);

}  // namespace tauprof
