// The page's timeline, span by span: the work of some ranks in a few steps, and who waited for whom. Times are on the
// run's clock, in nanoseconds from the start of the step on the rank that started it first.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/ledger.h"
#include "model/time.h"

namespace tauprof {

// kBetweenCalls is the first of as many as the ledger has rows: time of the host inside no call, by what the ledger
// calls it.
enum class ShownKind : uint8_t {
  kCompute,
  kFused,
  kComm,
  kCopy,
  kUnclassified,
  kHostCall,
  kHostBlocked,
  kRange,
  kOperator,
  kPython,
  kBetweenCalls
};
inline constexpr size_t kShownKindCount = static_cast<size_t>(ShownKind::kBetweenCalls) + kLedgerRowCount;

constexpr ShownKind between_calls(LedgerRow row) {
  return static_cast<ShownKind>(static_cast<size_t>(ShownKind::kBetweenCalls) + static_cast<size_t>(row));
}
inline constexpr uint32_t kNoShownName = 0xFFFFFFFF;

// One span, or several adjacent ones that are too short to be shown one by one.
struct ShownSpan {
  Nanoseconds start = 0;
  Nanoseconds duration = 0;
  uint32_t name = kNoShownName;  // index into the names; none: several spans
  uint32_t count = 1;
  ShownKind kind = ShownKind::kCompute;  // of several, what lasts longest
};

enum class RowGroup : uint8_t { kRanges, kOperators, kPython, kHost, kStreams };

// A stream of a device, the calls of a thread, or one depth of a thread's ranges, operators or Python functions.
struct ShownRow {
  uint32_t rank = 0;  // index into PageTimeline::ranks
  std::string label;  // "stream 7", "host"
  RowGroup group = RowGroup::kStreams;
  uint32_t lane = 0;  // of nested ones: how deep
};

// A collective in which a rank waited for the last of the others to arrive.
struct ShownWait {
  uint32_t row = 0;
  Nanoseconds start = 0;
  Nanoseconds length = 0;
  uint32_t for_row = 0;     // where the last one's part of the collective ran
  Nanoseconds arrival = 0;  // of the last one
  bool is_at_most = false;  // the wait may have been shorter
};

struct ShownStep {
  int64_t number = 0;
  std::vector<std::string> because;              // "typical", "slowest", "last", "finding"; empty: it is one of all
  Nanoseconds length = 0;                        // to the end on the rank that ended it last
  std::vector<std::optional<Interval>> windows;  // by rank; none: the rank does not have the step
  std::vector<std::vector<ShownSpan>> rows;      // by row, by start
  std::vector<ShownWait> waits;                  // the longest first
  uint64_t waits_left_out = 0;                   // shorter ones
  uint64_t merged = 0;                           // spans that are part of another
  Nanoseconds merged_below = 0;                  // their length at most; 0: none was merged
  Nanoseconds unit = 1;                          // its times are rounded to
  bool is_short = false;                         // PageTimeline::beside has more of it
};

// Others' waiting that a rank caused, by step.
struct CausedWaiting {
  std::vector<int32_t> ranks;
  std::vector<int64_t> steps;
  std::vector<std::vector<Nanoseconds>> ns;  // by rank, by step
  size_t ranks_left_out = 0;                 // named by no finding, and caused less
};

// Sensor readings of the shown ranks, by step; none: nothing was read in it.
struct ShownTelemetry {
  struct Rank {
    int32_t rank = -1;
    std::vector<std::optional<double>> sm_clock_mhz;   // the mean in the step
    std::vector<std::optional<Nanoseconds>> cpu_wait;  // of launching threads that were ready to run
  };
  struct Throttling {
    int32_t rank = -1;
    std::string reason;
    uint64_t steps = 0;  // in which it was read at least once
  };
  std::vector<int64_t> steps;
  std::vector<Rank> ranks;  // those with any reading
  std::vector<Throttling> throttling;
};

struct PageTimeline {
  std::vector<int32_t> ranks;
  std::vector<std::string> hosts;  // of the ranks
  size_t ranks_left_out = 0;
  size_t steps_left_out = 0;     // of the analysed steps
  uint64_t ranges_left_out = 0;  // nested deeper than there are rows
  uint64_t spans_left_out = 0;   // of ranks that have too many
  std::vector<ShownRow> rows;
  std::vector<std::string> names;
  std::vector<ShownStep> steps;
  std::vector<ShownStep> beside;  // those that are in short above, with all that is known of them
  CausedWaiting caused;
  ShownTelemetry telemetry;
};

}  // namespace tauprof
