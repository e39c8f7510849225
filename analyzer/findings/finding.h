// A finding: a claim with its evidence, what acting on it could give back, and what to do.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "replay/repair.h"

namespace tauprof {

enum class Severity { kInfo, kWarning, kCritical };

// What a finding says of its cause, in rising order: in which steps it is, what takes the time, why it does, and who
// holds up the others.
enum class Tells { kWhen, kWhat, kWhy, kWho };

struct Finding {
  std::string id;
  Severity severity = Severity::kInfo;
  std::string title;
  std::string evidence;
  std::vector<int32_t> ranks;              // empty: all
  std::vector<int64_t> steps;              // empty: all
  double cost_ns_per_step = 0;             // the time that it is about; 0: not known
  Severity at_most = Severity::kCritical;  // however much it saves
  Tells tells = Tells::kWhy;
  Repair repair;                            // what is taken away to tell what that saves
  std::optional<double> saves_ns_per_step;  // the replayed step without it; none: not known, for this reason
  std::string saves_reason;
  double least_saving = 0;      // as a share of the step: if the replay gives less, or nothing, this is no finding
  bool is_open = false;         // the records do not tell what it is, so a finding that does comes before it
  bool is_why_unknown = false;  // it tells who holds up the others, but not why
  std::string advice;
  // The source line that it is most about, "file:line function", or the place among the program's ranges and operators,
  // "forward > loss, after aten::view, before aten::item"; empty: not known.
  std::string where;
  double where_share = 0;  // of the finding's time, what lies there; 0: not known
};

// Of a finding that costs this share of all ranks' time.
Severity severity_of(double share);

}  // namespace tauprof
