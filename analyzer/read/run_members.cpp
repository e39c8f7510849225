#include "read/run_members.h"

#include <algorithm>
#include <memory>

#include "limits/analysis_limits.h"
#include "read/log_reader.h"
#include "read/record_rows.h"

namespace tauprof {
namespace {

bool says_its_rank(const RecordBlock& block, RunMembers& members) {
  bool has_said = false;
  for_rows_of<log::Process>(block, [&](const log::Process& row) {
    has_said = true;
    if (row.rank >= 0 && row.rank < kMostRanks) members.ranks.insert(row.rank);
    if (row.world_size <= kMostRanks) members.world_size = std::max(members.world_size, row.world_size);
  });
  return has_said;
}

}  // namespace

RunMembers members_of(const std::vector<std::string>& files) {
  RunMembers members;
  for (const std::string& file : files) {
    std::unique_ptr<LogReader> reader;
    if (!LogReader::open(file, reader).is_ok()) continue;
    RecordBlock block;
    while (reader->next(block))
      if (says_its_rank(block, members)) break;
  }
  return members;
}

}  // namespace tauprof
