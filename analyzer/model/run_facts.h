// Facts about a run besides its metrics: where it ran and how well it was recorded.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "model/process_trace.h"

namespace tauprof {

struct RankGap {
  int32_t rank = -1;
  RecordingGap gap;
};

struct RunFacts {
  std::string id;
  std::string source;
  std::string command;
  std::map<std::string, std::string> versions;  // of libraries, by name; several if ranks differ
  // Of the framework, by name, then by value the ranks that have it.
  std::map<std::string, std::map<std::string, std::vector<int32_t>>> settings;
  StepOrigin steps_origin = StepOrigin::kNone;
  std::string steps_source;
  double steps_confidence = 0;  // the lowest of all ranks
  std::string steps_reason;     // of that rank
  bool steps_sources_agree = true;
  int64_t started_realtime_ns = 0;  // 0: not known
  int32_t ranks = 0;
  int32_t device_count = 0;  // more than ranks where one drives several
  int32_t world_size = 0;  // 0: not known
  std::vector<int32_t> missing_ranks;
  std::map<std::string, std::vector<int32_t>> untimed_ranks;  // without device times, by the reason
  std::vector<std::string> hosts;
  std::vector<std::string> devices;

  uint64_t files_read = 0;
  uint64_t files_damaged = 0;
  uint64_t files_skipped = 0;
  uint64_t files_cut_short = 0;
  uint64_t events = 0;
  uint64_t bytes = 0;
  uint64_t lost_records = 0;
  uint64_t lost_bytes = 0;
  uint64_t unmatched_spans = 0;
  uint64_t clamped_latencies = 0;
  RecorderCost cost;
  std::map<std::string, uint64_t> dropped;  // by reason
  std::vector<RankGap> gaps;
  std::map<std::string, ImplausibleValue> implausible_values;  // by what was claimed

  // Whether no steps are known and slices of time replace them.
  bool is_by_time() const { return steps_source == kByTime; }
  uint64_t dropped_total() const {
    uint64_t total = 0;
    for (const auto& [reason, count] : dropped) total += count;
    return total;
  }
};

}  // namespace tauprof
