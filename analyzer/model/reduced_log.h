// The result of the first pass over a log: all that an analysis keeps of it until ranks are compared.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <vector>

#include "model/rank_timeline.h"

namespace tauprof {

// A wish of the user to the recorder that a log does not fulfil.
struct UnmetWish {
  std::string what;     // ends before "in 2 logs"
  std::string instead;  // the action taken, or the reason
  auto operator<=>(const UnmetWish&) const = default;
};

// A log, so far as it can be chosen and found again without reading it.
struct LogFacts {
  std::string path;           // as the user named it
  std::string given;          // the argument, a folder or the log, that it was found by
  std::string absolute_path;  // of the same file, on the machine that read it
  std::string host;
  uint64_t bytes = 0;
  Nanoseconds modified = 0;  // since 1970
  std::string run_id;
  Nanoseconds started = 0;      // since 1970; 0: not known
  std::vector<int64_t> ranks;   // that the log itself says
  int64_t world_size = 0;       // 0: the log does not say it
  bool is_bystander = false;    // as in read/bystander.h
  uint64_t events = 0;          // calls and pieces of device work
  Nanoseconds active_from = 0;  // since 1970; 0: not known
  Nanoseconds active_until = 0;
};

struct ReducedLog {
  std::vector<RankTimeline> ranks;      // of its devices
  std::vector<std::string> skipped;     // why the whole log is left out, one line; mostly none
  std::vector<std::string> damaged;     // the parts of it that are lost, one line
  std::vector<std::string> time_notes;  // on times that cannot be
  std::vector<UnmetWish> unmet_wishes;
  bool is_replayed = false;  // its operations are part of the run's graph, and have to be read from the log
};

}  // namespace tauprof
