// Who makes the others wait, why, and what it costs (docs/metrics.md, "Stragglers").
//
// Each slice of a rank's wait is shared equally by the members that had not yet arrived in it.
// Example: arrivals at 0 (A), 10 (B), 40 (C). A waits 10 for B and C: 5 each; A and B wait 30 more
// for C: 60. C is blamed for 65, B for 5.
//
// Why was C late? Its spending between its arrivals at the previous collective of that communicator
// and at this one is compared with the typical member's, on the rows of the device's ledger. If C's
// kernel started right after its launch and yet the device was not idle for longer, the host alone was
// late, under work that hid it: then C's excess on blocking calls, other calls, data waits and stalls
// counts, and where it blocked longer, what its device did. Lateness that no excess explains was
// inherited: C was late at the collective before, for the reasons found there. What C spent waiting
// inside other collectives in that time is `upstream`: that share of the blame moves on to whoever
// held those up, so that nobody is blamed for being made late.
//
// Where telemetry was recorded, it decides between causes that look alike: a rank that computes the same for longer,
// under a device clock clearly below its peers', is throttled; a rank whose host was late, while its threads waited for
// a CPU clearly longer than its peers', suffers from contention.
#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include "metrics/collective_match.h"
#include "metrics/step_selection.h"

namespace tauprof {

enum class Cause : uint8_t {
  kUnknown,
  kSlowCompute,
  kMoreCompute,
  kDataWait,
  kHostSync,
  kHostStall,
  kHostLaunch,
  kSlowLink,
  kThrottled,
  kCpuContention,
};
inline constexpr size_t kCauseCount = 10;
inline constexpr std::array<std::string_view, kCauseCount> kCauseNames = {
    "unknown",    "slow_compute", "more_compute", "data_wait", "host_sync",
    "host_stall", "host_launch",  "slow_link",    "throttled", "cpu_contention"};

struct RankBlame {
  int32_t rank = -1;
  std::array<double, kCauseCount> by_cause{};  // ns of others' waiting
  std::vector<double> by_step;                 // of each analysed step
  double lateness_mean_ns = 0;                 // behind the median arrival; 0 where it came earlier
  double lateness_p95_ns = 0;
  double last_share = 0;  // of the collectives it took part in
  size_t collectives = 0;
  double work_ns = 0;  // step time minus its own exposed waiting, over the analysed steps
  bool has_work = false;
  double exposed_wait_ns = 0;  // what its own waiting added to its analysed steps

  double blamed_ns() const;
  Cause main_cause() const;
};

struct Straggler {
  int32_t rank = -1;
  double score = 0;                // the waiting it caused, as a share of all ranks' time
  std::optional<double> slowdown;  // step time over what it would be without that waiting; none: nothing would be left
  double blamed_ns = 0;
  double cost_ns_per_step = 0;  // its share of what its peers' exposed waiting added to a step
  double gpu_hours = 0;         // that, of all ranks and analysed steps
  double last_share = 0;
  double lateness_ns = 0;
  Cause cause = Cause::kUnknown;               // the one behind most of it
  std::array<double, kCauseCount> by_cause{};  // ns
  uint64_t throttle_reasons = 0;               // bits of NVML's, where a part of it is by throttling
  std::vector<int64_t> steps;
  bool is_persistent = false;
  bool is_within_clock_bound = false;  // its clock may be wrong by more than it is late
};

// How the stragglers' steps lie.
enum class StragglerPattern : uint8_t {
  kNone,
  kTransient,   // in a minority of steps
  kPersistent,  // one of them in most steps
  kWandering,   // in most steps somebody, but none of them in most
};
inline constexpr std::array<std::string_view, 4> kPatternNames = {"none", "transient", "persistent", "wandering"};

struct StragglerReport {
  std::vector<Straggler> found;  // the costliest first
  std::vector<RankBlame> ranks;  // as the timelines
  double unblamed_ns = 0;        // waiting that lies in the nature of a pipeline, or of starting up
  StragglerPattern pattern = StragglerPattern::kNone;
  bool has_work = false;  // every rank's waiting is known
  std::vector<int32_t> mean_over_1_1;
  bool has_z = false;  // more than five ranks
  std::vector<int32_t> z_over_2;
};

StragglerReport find_stragglers(const std::vector<RankTimeline>& ranks, const std::vector<MatchedCollective>& matches,
                                const StepSelection& steps);

}  // namespace tauprof
