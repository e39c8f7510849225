// A finding: a claim with its evidence, what acting on it could give back, and what to do.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tauprof {

enum class Severity { kInfo, kWarning, kCritical };

struct Finding {
  std::string id;
  Severity severity = Severity::kInfo;
  std::string title;
  std::string evidence;
  std::vector<int32_t> ranks;    // empty: all
  std::vector<int64_t> steps;    // empty: all
  double saves_ns_per_step = 0;  // an upper bound: the cost, if all of it went; 0: not known
  std::string advice;
  // The source line that it is most about, "file:line function", or the place among the program's ranges and operators,
  // "forward > loss, after aten::view, before aten::item"; empty: not known.
  std::string where;
  double where_share = 0;  // of the finding's time, what lies there; 0: not known
};

// Of a finding that costs this share of all ranks' time.
Severity severity_of(double share);

}  // namespace tauprof
