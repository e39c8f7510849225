// Which ranks of a run have a log, from the logs' own words.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace tauprof {

struct RunMembers {
  std::set<int64_t> ranks;
  int64_t world_size = 0;  // 0: no log says it

  bool is_complete() const { return static_cast<int64_t>(ranks.size()) >= world_size; }
};

// Reads each log only as far as it says its rank.
RunMembers members_of(const std::vector<std::string>& files);

}  // namespace tauprof
