// Where what an analysis keeps of a log comes from: from the log, or from timelines that were made of it earlier
// (tauprof reduce), which save reading it, and stand for it where it cannot be reached.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "model/reduced_log.h"
#include "model/status.h"
#include "pipeline/opened_inputs.h"
#include "read/bystander.h"
#include "read/log_directory.h"
#include "read/run_members.h"
#include "timelines/host_timelines.h"

namespace tauprof {

// Which log it is, from its header. `given`: the argument that it was found by.
LogFacts identity_of_log(const std::string& path, const std::string& given);
// The rest of what can be told of it without an analysis. Reads all of it.
void add_facts_of_log(LogFacts& facts);

class LogSource {
 public:
  // Which logs and timelines of logs there are, by run. Logs that both are read and have timelines count once. Fails if
  // there is neither.
  Status find(const OpenedInputs& inputs, LogDirectory& directory, std::vector<std::string>& notes);

  // The timelines of a file of the directory; null: it has to be read.
  const TimelineEntry* timelines_of(const std::string& file) const;
  // Whether a file with timelines is there as well, as it was when they were made.
  bool is_reachable(const std::string& file) const;
  // " is not there"
  static std::string why_not_reachable(const std::string& file);
  // Of a file, known or read:
  bool is_bystander(const std::string& file) const;
  uint64_t bytes(const std::string& file) const;
  LogActivity activity(const std::string& file) const;
  RunMembers members(const std::string& file) const;
  // The arguments that the user gave when the timelines of these logs were made; empty unless all have timelines and
  // are still there, unchanged.
  std::vector<std::string> given_for(const std::vector<std::string>& files) const;

 private:
  Status add_timelines(const std::string& path, std::vector<std::string>& notes);
  void join(LogDirectory& directory);

  std::map<std::string, TimelineEntry> entries_;  // by the name of the file in the directory
  std::map<std::string, TimelineEntry> found_;    // by absolute path
};

}  // namespace tauprof
