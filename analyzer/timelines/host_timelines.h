// Reads the timelines of a host's logs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/reduced_log.h"
#include "model/status.h"

namespace tauprof {

// Where a log's timelines are.
struct TimelineEntry {
  std::string file;
  uint64_t offset = 0;  // of its first block behind its facts
  uint64_t blocks = 0;
  LogFacts facts;
};

struct HostTimelines {
  std::vector<TimelineEntry> logs;
  std::string complaint;  // about what of the file cannot be used; empty: nothing
};

// Finds out which logs it holds, complete, without reading their timelines. Fails if it is no file of timelines, was
// written by another version, or holds no log whole.
Status open_timelines(const std::string& path, HostTimelines& timelines);

Status read_timelines(const TimelineEntry& entry, ReducedLog& log);

}  // namespace tauprof
