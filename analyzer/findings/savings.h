// The saving of each finding's repair: the replayed step without the cause, against the measured one.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "findings/finding.h"
#include "model/disturbance.h"
#include "replay/replay_error.h"

namespace tauprof {

struct Savings {
  std::optional<ReplayError> error;            // none: there is only one step, or nothing was replayed
  bool is_predicted = false;                   // the error is that of steps that were predicted, not repeated
  std::optional<double> combined_ns_per_step;  // all that can be replayed, together
  // How much of that is due to kernels that run beside less communication (replay/contention.h) …
  double combined_contention_ns_per_step = 0;
  std::optional<double> contention_loss;  // … which loses this share of their speed; none: none is known
  std::optional<double> explained_share;  // of waiting (RunGraph); none: nothing waits
  // Of the run, filled by its caller: which steps were replayed (empty: all), and how many cannot be known.
  std::string limited_to;
  size_t left_out_steps = 0;
  double step_ns = 0;  // measured, the mean of those that were replayed: savings are of it; 0: nothing was replayed
  Statement reason;    // why nothing was replayed; empty: it was

  // The step before a repair: the mean of the replayed steps, else `analysed`, the mean of all.
  double step_before(double analysed) const { return step_ns > 0 ? step_ns : analysed; }
  // How far a replayed step may be off; none: nobody knows, as of a single step.
  std::optional<double> error_ns(double step) const { return error ? std::optional(error->mean * step) : std::nullopt; }
};

// Fills what each finding saves, sets its severity by that, and sorts the priced ones: the largest first. A replay that
// is off by more than kMostReplayError says nothing, and none is priced.
Savings price_findings(RunGraph& run, const std::vector<RankTimeline>& ranks, const Disturbance& disturbance,
                       std::vector<Finding>& findings);

// How far replayed steps are off: by light steps that they predict or, where there are none, by how well steps repeat
// each other, which does not say how far a repair is off.
std::optional<ReplayError> error_of(const RunGraph& run, const Disturbance& disturbance);

// Why no price of this run is known; empty: they are.
Statement why_not_priced(const RunGraph& run, const std::optional<ReplayError>& error);

// Ranks that are no example for others: something holds them up.
Faults held_up_ranks(const std::vector<Finding>& findings);

}  // namespace tauprof
