#include "read/recorded_ranges.h"

#include <algorithm>

#include "read/record_rows.h"

namespace tauprof {

void RecordedRanges::take(const RecordBlock& block) {
  for_rows_of<log::Range, log::Mark, log::StepMark, log::RecorderStep>(block, [this](const auto& row) { add(row); });
}

void RecordedRanges::add(const log::Range& row) {
  const Interval time = state_.claims().span(row.start, row.duration);
  trace_.ranges.push_back({time.start, time.end, state_.name(row.name), state_.name(row.domain),
                           state_.thread(row.thread), static_cast<log::RangeSource>(row.source), false});
}

void RecordedRanges::add(const log::Mark& row) {
  const Nanoseconds time = state_.claims().time(row.time);
  trace_.ranges.push_back({time, time, state_.name(row.name), state_.name(row.domain), state_.thread(row.thread),
                           static_cast<log::RangeSource>(row.source), true});
}

void RecordedRanges::add(const log::StepMark& row) {
  trace_.step_marks.push_back({state_.claims().time(row.time), state_.thread(row.thread)});
}

void RecordedRanges::add(const log::RecorderStep& row) {
  constexpr uint64_t kLimit = uint64_t{1} << 62;  // what is negative or larger is damaged
  if (static_cast<uint64_t>(row.time | row.step | row.extra) < kLimit)
    trace_.recorder_steps.push_back({row.time, row.step, row.extra});
}

void RecordedRanges::finish() {
  std::stable_sort(trace_.step_marks.begin(), trace_.step_marks.end(),
                   [](const StepMark& a, const StepMark& b) { return a.time < b.time; });
  std::stable_sort(trace_.recorder_steps.begin(), trace_.recorder_steps.end(),
                   [](const RecorderStep& a, const RecorderStep& b) { return a.number < b.number; });
  std::stable_sort(trace_.ranges.begin(), trace_.ranges.end(), [](const HostRange& a, const HostRange& b) {
    if (a.thread != b.thread) return a.thread < b.thread;
    return a.start != b.start ? a.start < b.start : a.end > b.end;
  });
}

}  // namespace tauprof
