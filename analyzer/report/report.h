// A finished analysis, ready to be rendered.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "findings/finding.h"
#include "findings/savings.h"
#include "findings/verdict.h"
#include "metrics/run/run_metrics.h"
#include "model/disturbance.h"
#include "model/run_facts.h"
#include "operations/straggler_answers.h"

namespace tauprof {

struct Report {
  RunFacts facts;
  RunMetrics metrics;
  std::vector<Finding> findings;
  Savings savings;
  Disturbance disturbance;
  std::optional<Verdict> verdict;
  std::optional<StragglerAnswers> job;  // of an operation trace; there are no metrics of ranks then
  std::optional<double> batch;          // samples per rank and step, as the user gave them
  std::optional<double> tokens;
  std::string logs;    // the analysed ones, as a shell's words …
  std::string choice;  // … and the options that choose the run and its steps; empty: none was given

  // The unit that the report divides the run into: steps, or slices of time if no steps are known.
  std::string_view unit() const { return facts.is_by_time() ? "slice" : "step"; }
};

}  // namespace tauprof
