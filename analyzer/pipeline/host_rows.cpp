#include "pipeline/host_rows.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "classify/source_lines.h"
#include "limits/timeline_limits.h"
#include "metrics/places/range_kinds.h"

namespace tauprof {
namespace {

struct RangeRows {
  RowGroup group;
  const char* label;
  ShownKind kind;
};

// None: the recording profiler's own.
std::optional<RangeRows> rows_of(log::RangeSource source) {
  switch (source) {
    case log::RangeSource::kNvtx:
    case log::RangeSource::kNvtxProcess:
    case log::RangeSource::kAnnotation:
    case log::RangeSource::kFramework:
      return RangeRows{RowGroup::kRanges, "annotations", ShownKind::kRange};
    case log::RangeSource::kOperator:
      return RangeRows{RowGroup::kOperators, "operators", ShownKind::kOperator};
    case log::RangeSource::kPython:
      return RangeRows{RowGroup::kPython, "Python", ShownKind::kPython};
    default:
      return std::nullopt;
  }
}

// The thread that trains, then others by how much they launch in the steps.
std::vector<uint32_t> shown_threads(const ProcessTrace& trace, const WindowIndex& windows) {
  std::vector<std::pair<size_t, uint32_t>> launches;
  for (uint32_t thread = 0; thread + 1 < trace.first_call.size(); ++thread) {
    size_t count = 0;
    for (uint32_t i = trace.first_call[thread]; i < trace.first_call[thread + 1]; ++i)
      count += launches_work(trace.calls[i].call_class) && windows.touches(trace.calls[i].start, trace.calls[i].end);
    if (count > 0) launches.emplace_back(count, thread);
  }
  std::stable_sort(launches.begin(), launches.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<uint32_t> threads;
  for (const HostStep& step : trace.steps)
    if (step.thread >= 0 && threads.empty()) threads.push_back(static_cast<uint32_t>(step.thread));
  for (uint32_t i = 0; i < trace.threads.size() && threads.empty(); ++i)
    if (trace.threads[i].is_main) threads.push_back(i);
  for (const auto& [count, thread] : launches)
    if (threads.size() < kMostShownThreads && (threads.empty() || thread != threads.front())) threads.push_back(thread);
  return threads;
}

class HostRows {
 public:
  HostRows(const ProcessTrace& trace, IdleCause& idle, SpanRows& rows)
      : trace_(trace), idle_(idle), rows_(rows), threads_(shown_threads(trace, rows.windows())) {}

  uint64_t fill() {
    for (size_t i = 0; i < threads_.size(); ++i) {
      const std::string of_thread = i == 0 ? "" : ", " + name_of(threads_[i]);
      add_ranges(threads_[i], of_thread);
      add_stacks(threads_[i], of_thread);
      const uint32_t row = rows_.open(i == 0 ? "host" : name_of(threads_[i]), RowGroup::kHost);
      add_calls(row, threads_[i], i == 0);
    }
    return left_out_;
  }

 private:
  struct Nested {
    const HostRange* range;
    RangeRows rows;
    uint32_t lane;
  };

  std::string name_of(uint32_t thread) const {
    const HostThread& host_thread = trace_.threads[thread];
    constexpr size_t kLongestThreadName = 16;  // as Linux has them
    const std::string_view name = trace_.names[host_thread.name];
    return name.empty() ? "thread " + std::to_string(host_thread.os_id)
                        : std::string(name.substr(0, kLongestThreadName));
  }

  // One that holds a whole step says nothing about what is inside.
  bool is_telling(const HostRange& range) const {
    bool starts_inside = false, ends_inside = false;
    rows_.windows().visit(range.start, range.start + 1, [&](size_t, const Interval& window) {
      starts_inside = starts_inside || range.start > window.start;
    });
    rows_.windows().visit(range.end - 1, range.end,
                          [&](size_t, const Interval& window) { ends_inside = ends_inside || range.end < window.end; });
    return starts_inside || ends_inside;
  }

  std::vector<Nested> nested_ranges(uint32_t thread) {
    const auto by_thread = [](const HostRange& range, uint32_t wanted) { return range.thread < wanted; };
    auto range = std::lower_bound(trace_.ranges.begin(), trace_.ranges.end(), thread, by_thread);
    std::array<std::vector<Nanoseconds>, 5> ends;  // of open ones, by group
    std::vector<Nested> nested;
    for (; range != trace_.ranges.end() && range->thread == thread; ++range) {
      const std::optional<RangeRows> rows = rows_of(range->source);
      if (range->is_mark || !rows || !is_telling(*range)) continue;
      std::vector<Nanoseconds>& open = ends[static_cast<size_t>(rows->group)];
      while (!open.empty() && open.back() <= range->start) open.pop_back();
      if (open.size() < kMostShownLanes)
        nested.push_back({&*range, *rows, static_cast<uint32_t>(open.size())});
      else
        ++left_out_;
      open.push_back(range->end);
    }
    return nested;
  }

  void add_ranges(uint32_t thread, const std::string& of) {
    const std::vector<Nested> all = nested_ranges(thread);
    for (const RowGroup group : {RowGroup::kRanges, RowGroup::kOperators, RowGroup::kPython}) {
      std::vector<uint32_t> lanes;
      for (const Nested& one : all) {
        if (one.rows.group != group) continue;
        while (lanes.size() <= one.lane)
          lanes.push_back(rows_.open(one.rows.label + of, group, static_cast<uint32_t>(lanes.size())));
        rows_.add_text(lanes[one.lane], {one.range->start, one.range->end}, shown_range(trace_.names[one.range->name]),
                       one.rows.kind);
      }
    }
  }

  // Where slow calls and pauses were in the program, by recorded stacks.
  void add_stacks(uint32_t thread, const std::string& of) {
    std::vector<std::pair<Interval, uint32_t>> located;
    for (const LocatedPause& pause : trace_.stacks.pauses)
      if (pause.thread == thread) located.emplace_back(pause.time, pause.stack);
    for (const LocatedCall& at : trace_.stacks.calls)
      if (const HostCall* const call = at.thread == thread ? call_at(thread, at.start) : nullptr)
        located.emplace_back(Interval{call->start, call->end}, at.stack);
    std::optional<uint32_t> row;
    for (const auto& [time, stack] : located) {
      const std::string& line = lines_.of(stack);
      if (line.empty() || !rows_.windows().touches(time.start, time.end)) continue;
      if (!row) row = rows_.open("source lines" + of, RowGroup::kPython);
      rows_.add_text(*row, time, line, ShownKind::kPython);
    }
  }

  const HostCall* call_at(uint32_t thread, Nanoseconds start) const {
    if (thread + 1 >= trace_.first_call.size()) return nullptr;
    const auto end = trace_.calls.begin() + trace_.first_call[thread + 1];
    const auto found = std::lower_bound(trace_.calls.begin() + trace_.first_call[thread], end, start,
                                        [](const HostCall& call, Nanoseconds time) { return call.start < time; });
    return found != end && found->start == start ? &*found : nullptr;
  }

  // Calls inside of others are part of them.
  void add_calls(uint32_t row, uint32_t thread, bool has_pauses) {
    if (thread + 1 >= trace_.first_call.size()) return;
    uint32_t before = kNoIndex;
    for (uint32_t i = trace_.first_call[thread]; i < trace_.first_call[thread + 1]; ++i) {
      const HostCall& call = trace_.calls[i];
      if (call.outer != kNoIndex) continue;
      if (has_pauses && before != kNoIndex) add_pause(row, before, i);
      rows_.add(row, {call.start, call.end}, call.function,
                tells_its_row(call) ? ShownKind::kHostBlocked : ShownKind::kHostCall);
      before = i;
    }
  }

  void add_pause(uint32_t row, uint32_t before, uint32_t next) {
    const Interval pause{trace_.calls[before].end, trace_.calls[next].start};
    if (pause.length() < kShortestShownPause || !rows_.windows().touches(pause.start, pause.end)) return;
    const Interval others = of_others(pause);
    std::optional<IdlePiece> open;
    for (const IdlePiece& piece : idle_.pieces_between(pause, before, next)) {
      if (open && open->row == piece.row) {
        open->time.end = piece.time.end;
        continue;
      }
      if (open) add_piece(row, *open, others);
      open = piece;
    }
    if (open) add_piece(row, *open, others);
  }

  // While another thread launches, as autograd's does, the ledger looks at that one.
  void add_piece(uint32_t row, const IdlePiece& piece, const Interval& others) {
    const Interval parts[] = {{piece.time.start, std::min(piece.time.end, others.start)},
                              {std::max(piece.time.start, others.end), piece.time.end}};
    const size_t count = others.is_empty() ? 1 : 2;
    for (size_t i = 0; i < count; ++i) {
      const Interval part = count == 1 ? piece.time : parts[i];
      if (part.length() >= kShortestShownPause)
        rows_.add_text(row, part, kind_of(piece.row).label, between_calls(piece.row));
    }
  }

  // From the first call of another shown thread in this time to the last.
  Interval of_others(const Interval& pause) const {
    Interval hull{0, 0};
    for (const uint32_t thread : threads_) {
      if (thread == threads_.front()) continue;
      const auto first = trace_.calls.begin() + trace_.first_call[thread];
      const auto end = trace_.calls.begin() + trace_.first_call[thread + 1];
      const auto by_start = [](const HostCall& call, Nanoseconds time) { return call.start < time; };
      const auto from = std::lower_bound(first, end, pause.start, by_start);
      const auto to = std::lower_bound(from, end, pause.end, by_start);
      if (from == to) continue;
      const Interval calls{from->start, std::prev(to)->end};
      hull = hull.is_empty() ? calls : Interval{std::min(hull.start, calls.start), std::max(hull.end, calls.end)};
    }
    return hull;
  }

  const ProcessTrace& trace_;
  IdleCause& idle_;
  SpanRows& rows_;
  const std::vector<uint32_t> threads_;
  SourceLines lines_{trace_};
  uint64_t left_out_ = 0;
};

}  // namespace

uint64_t add_host_rows(const ProcessTrace& trace, IdleCause& idle, SpanRows& rows) {
  return HostRows(trace, idle, rows).fill();
}

}  // namespace tauprof
