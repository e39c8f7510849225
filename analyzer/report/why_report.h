// Why a rank waited, as `tauprof why` says it. Ranks and steps are numbers, collectives the ids of an export's tables.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "metrics/stragglers/cause.h"
#include "model/time.h"

namespace tauprof {

struct WhyCharge {
  std::optional<int32_t> late_rank;  // none: nobody
  Cause cause = Cause::kUnknown;
  double ns = 0;
};

struct WhyLink {
  uint32_t collective = 0;
  std::string_view operation;
  int64_t step = 0;
  std::optional<int32_t> waiter;  // none: all that waited for came_late
  int32_t came_late = -1;
  double waited_ns = 0;   // by the waiter for everybody, or by all of them for came_late
  double charged_ns = 0;  // of it, to the first cause
  double after_ns = 0;    // how long after the waiter came_late came; 0: clocks do not tell
};

// Where the host of the rank to blame was.
struct WhyHost {
  std::string before, after;  // the calls around it; after is empty: inside of before
  Nanoseconds ns = 0;
  int64_t before_id = 0, after_id = 0;  // as in the table calls
};

struct WhyCause {
  int64_t step = 0;
  std::string_view row;                   // of the ledger
  Nanoseconds own_ns = 0, others_ns = 0;  // in that step; of the others the lower median
  std::string where;                      // in the program; empty: not known
  std::optional<WhyHost> host;
};

struct WhyReport {
  int32_t rank = -1;
  std::string run_id;
  std::optional<int64_t> step;  // none: all analysed ones
  const char* unit = "step";
  size_t steps = 0;
  double step_ns = 0;  // of the rank, in these steps
  double waited_ns = 0;
  size_t waits = 0;
  std::string unknown_because;  // why it is not known how long it waited
  std::vector<WhyCharge> charges;
  std::vector<WhyLink> links;  // from the longest wait to the first cause
  std::optional<WhyCharge> first;
  bool is_cut = false;  // the analysed steps do not reach back to the first cause
  std::optional<WhyCause> cause;
};

}  // namespace tauprof
