// Who makes the others wait, why, and what it costs (docs/metrics.md, "Stragglers").
//
// Each slice of a rank's wait is shared equally by the members that have not yet arrived. Example: A arrives at 0, B at
// 10, C at 40. A waits 10 for B and C, 5 for each; then A and B wait 30 for C, together 60. C is blamed for 65, B
// for 5.
//
// Why was C late? What it spent between its arrivals at the previous collective of that communicator and at this one is
// compared with the typical member, row by row of the device's ledger. But if C's kernel started right after its launch
// call, the device held nothing up: the call came late. If that shows as idle time, the ledger's idle rows say why. If
// it does not, the device was busy with other work meanwhile, and C's host decides: its excess on launch calls, data
// waits, stalls and blocking calls. A thread that blocked for longer waited for its device, so that part of the excess
// is divided as the device's ledger says.
// Lateness that no excess explains was inherited: C was late at the previous collective, for the reasons found there.
// The time that C spent waiting inside other collectives is `upstream`: that share of the blame moves on to whoever
// held them up, so that no rank is blamed for being made late.
//
// A rank's own excess counts, too (own_excess.h): it may make everybody late though nobody is seen to wait for that
// rank.
//
// Where telemetry was recorded, it decides between causes that look alike. A rank that computes the same for longer
// under a device clock clearly below its peers' is throttled. A rank whose host was late while its threads waited for a
// CPU clearly longer than its peers' suffers from contention.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "metrics/collectives/collective_match.h"
#include "metrics/statistics/step_selection.h"
#include "metrics/stragglers/cause.h"
#include "metrics/stragglers/rank_blame.h"

namespace tauprof {

struct Straggler {
  int32_t rank = -1;
  double score = 0;                // the waiting that it caused, as a share of all ranks' time
  std::optional<double> slowdown;  // step time over step time without that waiting; none: nothing would be left
  double blamed_ns = 0;
  double cost_ns_per_step = 0;  // its share of what its peers' exposed waiting added to a step
  double gpu_hours = 0;         // the same over all ranks and analysed steps
  double last_share = 0;
  double lateness_ns = 0;
  Cause cause = Cause::kUnknown;               // the one behind most of it
  std::array<double, kCauseCount> by_cause{};  // ns
  uint64_t throttle_reasons = 0;               // NVML's bits, if throttling is one of the causes
  std::vector<int64_t> steps;
  // These are the steps whose device windows its excess lies in; else those to whose collectives it was late. What a
  // host does before a step lies in its device's window of the step before.
  bool are_windows = false;
  bool is_persistent = false;
  // `ns`: that a step of `step_ns` is longer for it.
  void set_cost(double ns, double step_ns, size_t ranks, size_t steps);
  // That it is no chance, by the number of its steps: one of two, three of four …
  double confidence() const { return static_cast<double>(steps.size()) / static_cast<double>(steps.size() + 1); }
  bool is_within_clock_bound = false;  // its clock may be off by more than it is late
  // Its own excess in ns (own_excess.h), if it was found by that and not by others' waiting.
  double excess_ns = 0;
  bool is_suspect() const { return excess_ns > 0; }
  std::string where;  // in the program, what made it late lies; empty: not known
};

// In which steps there are stragglers.
enum class StragglerPattern : uint8_t {
  kNone,
  kTransient,   // in a minority of steps
  kPersistent,  // one of them in most steps
  kWandering,   // some rank in most steps, but none in most
};
inline constexpr std::array<std::string_view, 4> kPatternNames = {"none", "transient", "persistent", "wandering"};

struct StragglerReport {
  std::vector<Straggler> found;  // the costliest first
  // Further ranks with an excess of their own that is no chance (own_excess.h), the largest first: whether it costs
  // anything is for the replay to say.
  std::vector<Straggler> suspects;
  std::vector<RankBlame> ranks;  // as the timelines
  double unblamed_ns = 0;        // waiting that lies in the nature of a pipeline, or of starting up
  std::vector<double> unblamed_in;  // the same in each analysed step
  StragglerPattern pattern = StragglerPattern::kNone;
  bool has_work = false;  // every rank's waiting is known
  std::vector<int32_t> mean_over_1_1;
  bool has_z = false;  // more than five ranks
  std::vector<int32_t> z_over_2;
};

// `steps`: how many were analysed.
StragglerPattern pattern_of(const std::vector<Straggler>& found, size_t steps);

StragglerReport find_stragglers(const std::vector<RankTimeline>& ranks, const std::vector<MatchedCollective>& matches,
                                const StepSelection& steps);

}  // namespace tauprof
