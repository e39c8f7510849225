// The analysed steps one by one, for comparing runs: how long each took, and where its time went.
//
// A value is the mean over the ranks that have the step, so the rows of a step sum to its duration, and so do the means
// over the steps.
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "metrics/statistics/step_selection.h"
#include "model/ledger.h"
#include "model/rank_timeline.h"

namespace tauprof {

struct PhaseSeries {
  std::string_view name;
  bool is_derived = false;        // as in PhaseMetrics
  std::vector<double> host_ns;    // by step
  std::vector<double> device_ns;  // by step that has device times
};

// A rank's contribution to the mean step: its own time, and the waiting of others for it.
struct RankShare {
  int32_t rank = -1;
  std::vector<double> ns;  // by step that has device times
};

struct StepSeries {
  std::vector<double> host_ns;                              // of the host windows, by step
  std::vector<double> device_ns;                            // of the device windows, by step that has one
  std::array<std::vector<double>, kLedgerRowCount> row_ns;  // by ledger row, as device_ns; they sum to it …
  PerPhase<std::vector<double>> phase_ns;                   // … and so does the ledger by phase
  std::vector<PhaseSeries> phases;                          // as RunTime::phases
  std::vector<RankShare> ranks;                             // with nobody's they sum to device_ns (rank_shares.h)
  std::vector<double> nobody_ns;
};

StepSeries step_series(const std::vector<const RankTimeline*>& ranks, const StepSelection& steps);

}  // namespace tauprof
