// The answers of `tauprof whatif`, ready to be rendered.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "replay/replay_error.h"
#include "replay/scenario.h"

namespace tauprof {

struct ScenarioAnswer {
  std::vector<std::string> changes;  // as asked
  Answer answer;
};

struct WhatIfReport {
  std::string run_id;
  std::string_view unit = "step";  // or "slice", as in Report
  size_t ranks = 0;
  size_t steps = 0;           // replayed, of the analysed ones
  std::string limited_to;     // which these are, in words; empty: all
  size_t left_out_steps = 0;  // of the analysed ones, because they cannot be known (replay/known_steps.h)
  double step_ns = 0;         // measured, their mean; 0: nothing can be replayed
  std::optional<ReplayError> error;
  bool is_predicted = false;              // the error is that of steps that were predicted, not repeated
  bool is_undisturbed = false;            // the run is the one without the recorder
  std::optional<double> explained_share;  // of waiting (RunGraph); none: nothing waits
  std::optional<double> contention_loss;  // of kernels' speed beside communication; none: none is known
  std::string reason;                     // why nothing is known of any scenario; empty: each tells
  std::vector<ScenarioAnswer> scenarios;
  std::optional<double> best_bucket_mib;  // of several that were asked; none: not asked, or none is known
};

}  // namespace tauprof
