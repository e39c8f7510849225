// The rows of a rank in the page's timeline as they are filled: spans go to each step whose window they touch.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "html/page_timeline.h"
#include "limits/timeline_limits.h"
#include "model/clock_map.h"
#include "model/process_trace.h"
#include "pipeline/window_index.h"

namespace tauprof {

struct RankSpans {
  struct Row {
    std::string label;
    RowGroup group = RowGroup::kStreams;
    uint32_t lane = 0;
  };
  // Where a collective ran: the start of a span of communication, on the log's clock, and its row.
  using CommStart = std::pair<Nanoseconds, uint32_t>;

  std::vector<Row> rows;
  std::vector<std::string> names;
  std::vector<std::vector<std::vector<ShownSpan>>> steps;  // by step, by row, by start; on the run's clock
  std::vector<CommStart> comm_starts;                      // sorted
  std::vector<uint64_t> merged;                            // by step, as in ShownStep
  std::vector<Nanoseconds> merged_below;
  uint64_t ranges_left_out = 0;  // nested deeper than there are rows
  uint64_t spans_left_out = 0;   // because there are too many
};

class SpanRows {
 public:
  SpanRows(const ProcessTrace& trace, const ClockMap& clock, const std::vector<Interval>& windows);

  const WindowIndex& windows() const { return windows_; }
  // Its number. Rows are shown in the order in which they are opened.
  uint32_t open(std::string label, RowGroup group, uint32_t lane = 0);
  // Times are on the log's clock. False: the span touches no window.
  bool add(uint32_t row, Interval time, NameId name, ShownKind kind) {
    return place(row, time, kind, [&] { return shown_name(name); });
  }
  bool add_text(uint32_t row, Interval time, std::string_view text, ShownKind kind) {
    return place(row, time, kind, [&] { return shown_text(text); });
  }

  // `most`: spans of each step.
  RankSpans take(const std::vector<size_t>& most);

  void add_comm_start(Nanoseconds start, uint32_t row) { result_.comm_starts.emplace_back(start, row); }

 private:
  template <class Name>
  bool place(uint32_t row, Interval time, ShownKind kind, Name&& name) {
    if (placed_ >= kMostSpansOfRank) {
      ++result_.spans_left_out;
      return false;
    }
    return windows_.visit(time.start, time.end, [&](size_t step, const Interval& window) {
      if (time.start <= window.start && time.end >= window.end && is_filled_again(step, row)) return;
      ++placed_;
      result_.steps[step][row].push_back({clock_.to_run(time.start), time.length(), name(), 1, kind});
    });
  }
  bool is_filled_again(size_t step, uint32_t row) {
    const bool was = is_filled_[step][row];
    is_filled_[step][row] = true;
    return was;
  }
  uint32_t shown_name(NameId name);
  uint32_t shown_text(std::string_view text);

  const ProcessTrace& trace_;
  const ClockMap& clock_;
  WindowIndex windows_;
  RankSpans result_;
  size_t placed_ = 0;
  // By step and row: a span fills all of its window. Another one, as of calls that never end, would be drawn above it.
  std::vector<std::vector<bool>> is_filled_;
  std::unordered_map<NameId, uint32_t> names_;
  std::unordered_map<std::string, uint32_t> texts_;
};

}  // namespace tauprof
