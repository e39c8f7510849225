// The collectives of a run, one entry for each communicator, operation, type and size.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "log/format.h"
#include "metrics/collectives/collective_match.h"
#include "metrics/statistics/statistics.h"
#include "metrics/statistics/step_selection.h"
#include "metrics/statistics/time_per_step.h"
#include "model/rank_timeline.h"

namespace tauprof {

struct CollectiveMetrics {
  std::string communicator;
  bool is_named = false;  // it has the name that the program gave it
  log::Operation operation = log::Operation::kUnknown;
  log::DataType datatype = log::DataType::kUnknown;
  int32_t ranks = 0;
  int32_t hosts = 0;  // that its members are on; 0: not known
  uint64_t count = 0;
  uint64_t untimed = 0;  // of these, how many have no device times on any rank
  std::optional<int64_t> size_bytes;
  std::optional<double> algbw_gb_per_s;
  std::optional<double> busbw_gb_per_s;
  std::optional<double> busbw_transfer_gb_per_s;  // over the shortest span; all-pairs operations, all ranks recorded
  std::optional<double> link_peak_gb_per_s;       // of its members' links (run/peaks.h)
  std::optional<Nanoseconds> wait_ns;             // over ranks and instances
  std::optional<Nanoseconds> wait_at_least_ns;    // the same of those that cannot be split; all-pairs operations
  std::optional<Nanoseconds> transfer_ns;
  std::optional<Nanoseconds> skew_ns;  // last arrival − first arrival, over instances
  std::optional<double> imbalance;     // of unequal all-to-alls: the most bytes that a rank sent, over the mean
  std::optional<double> imbalance_received;
  int32_t heaviest_receiver = -1;  // the rank that received most; -1: all received the same, or it is not known
  std::optional<Nanoseconds> exposed_ns;
  Statistics enqueue;  // how long the calls took on the host, over ranks and instances
  // For comparing runs, over all members, per rank of the run: how long it ran, and how long of that nothing computed.
  // Without stretches if there are no device times.
  TimePerStep span_per_step;
  TimePerStep exposed_per_step;
  bool wait_is_upper_bound = false;
  bool wait_within_clock_bound = false;  // the clocks may be off by more than the mean wait

  // Of the transfers alone: waiting uses no link.
  std::optional<double> share_of_link() const {
    if (!busbw_transfer_gb_per_s || link_peak_gb_per_s.value_or(0) <= 0) return std::nullopt;
    return *busbw_transfer_gb_per_s / *link_peak_gb_per_s;
  }
};

// `have_clocks`: whether the ranks' clocks can be compared.
std::vector<CollectiveMetrics> collective_table(const std::vector<RankTimeline>& ranks,
                                                const std::vector<MatchedCollective>& matches,
                                                const StepSelection& steps, bool have_clocks = true);

}  // namespace tauprof
