#include "read/recorded_ranges.h"

#include <algorithm>
#include <tuple>

#include "model/sort_by_key.h"
#include "read/record_rows.h"
#include "read/recorded_order.h"

namespace tauprof {
namespace {

constexpr auto kFramework = static_cast<int64_t>(log::RangeSource::kFramework);

}  // namespace

void RecordedRanges::take(const RecordBlock& block) {
  for_rows_of<log::Range, log::Mark, log::StepMark, log::RecorderStep, log::DeviceTimes>(
      block, [this](const auto& row) { add(row); });
}

// Marks of a framework are kept apart from those of its user.
void RecordedRanges::add_framework_mark(Interval time, int64_t thread, int64_t name, int64_t payload) {
  marks_.push_back({{time.start, time.end, static_cast<uint64_t>(payload), state_.thread(thread)}, state_.name(name)});
}

// Once all names are known. Marks with other names are of a later version.
void RecordedRanges::name_framework_marks() {
  constexpr uint64_t kGradientsAreOff = 2;
  for (NamedMark& named : marks_) {
    const std::optional<MarkKind> kind = mark_kind(trace_.names[named.name]);
    if (!kind) continue;
    FrameworkMark& mark = named.mark;
    mark.kind = *kind;
    mark.has_gradients = *kind != MarkKind::kForward || mark.optimizer != kGradientsAreOff;
    if (*kind != MarkKind::kUpdate && *kind != MarkKind::kOptimizer) mark.optimizer = 0;
    trace_.marks.push_back(mark);
  }
  marks_.clear();
}

void RecordedRanges::add(const log::Range& row) {
  const Interval time = state_.claims().span(row.start, row.duration);
  if (row.source == kFramework) return add_framework_mark(time, row.thread, row.name, row.payload);
  trace_.ranges.push_back({time.start, time.end, state_.name(row.name), state_.name(row.domain),
                           state_.thread(row.thread), static_cast<log::RangeSource>(row.source), false});
  if (row.sequence > 0)
    trace_.autograd_operators.push_back(
        {time.start, time.end, row.sequence - 1, row.forward_thread, state_.thread(row.thread)});
  const bool may_be_collective = row.source == static_cast<int64_t>(log::RangeSource::kAnnotation) ||
                                 row.source == static_cast<int64_t>(log::RangeSource::kOperator);
  if (!may_be_collective || row.payload <= 0) return;
  trace_.annotated_collectives.push_back({time.start, time.end, row.payload / 256, state_.thread(row.thread),
                                          static_cast<log::DataType>(row.payload % 256)});
}

void RecordedRanges::add(const log::Mark& row) {
  const Nanoseconds time = state_.claims().time(row.time);
  if (row.source == kFramework) return add_framework_mark({time, time}, row.thread, row.name, row.payload);
  trace_.ranges.push_back({time, time, state_.name(row.name), state_.name(row.domain), state_.thread(row.thread),
                           static_cast<log::RangeSource>(row.source), true});
}

void RecordedRanges::add(const log::StepMark& row) {
  trace_.step_marks.push_back({state_.claims().time(row.time), state_.thread(row.thread)});
}

void RecordedRanges::add(const log::RecorderStep& row) {
  constexpr uint64_t kLimit = uint64_t{1} << 62;  // negative or larger values are damaged
  if (static_cast<uint64_t>(row.time | row.step) < kLimit) trace_.recorder_steps.push_back({row.time, row.step});
}

// States of a later version are not known.
void RecordedRanges::add(const log::DeviceTimes& row) {
  constexpr auto kLast = static_cast<int64_t>(log::DeviceTimesState::kRefused);
  const int64_t state = row.state >= 0 && row.state <= kLast ? row.state : 0;
  trace_.device_times.push_back(
      {state_.claims().time(row.time), static_cast<log::DeviceTimesState>(state), std::max<int64_t>(row.step, -1)});
}

void RecordedRanges::finish(bool keeps_order) {
  std::stable_sort(trace_.step_marks.begin(), trace_.step_marks.end(),
                   [](const StepMark& a, const StepMark& b) { return a.time < b.time; });
  std::stable_sort(trace_.recorder_steps.begin(), trace_.recorder_steps.end(),
                   [](const RecorderStep& a, const RecorderStep& b) { return a.number < b.number; });
  std::stable_sort(trace_.device_times.begin(), trace_.device_times.end(),
                   [](const DeviceTimesChange& a, const DeviceTimesChange& b) { return a.time < b.time; });
  name_framework_marks();
  const auto outer_first = [](const auto& a, const auto& b) {
    if (a.thread != b.thread) return a.thread < b.thread;
    return a.start != b.start ? a.start < b.start : a.end > b.end;
  };
  std::stable_sort(trace_.annotated_collectives.begin(), trace_.annotated_collectives.end(), outer_first);
  std::stable_sort(trace_.autograd_operators.begin(), trace_.autograd_operators.end(), outer_first);
  RecordedOrder order(keeps_order ? trace_.ranges.size() : 0);
  sort_by_key(
      trace_.ranges.data(), trace_.ranges.data() + trace_.ranges.size(),
      [](const HostRange& range) { return std::tuple(range.thread, range.start, -range.end); },
      keeps_order ? order.positions() : nullptr);
  trace_.range_order = order.take();
  std::stable_sort(trace_.marks.begin(), trace_.marks.end(), outer_first);
}

}  // namespace tauprof
