#include "read/recorded_spans.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "limits/analysis_limits.h"
#include "model/release.h"
#include "read/awaited_copies.h"
#include "read/record_rows.h"
#include "read/united_devices.h"

namespace tauprof {
namespace {

bool is_possible(const LaunchShape& shape) {
  const auto is_positive = [](int32_t dimension) { return dimension > 0; };
  return std::all_of(shape.grid.begin(), shape.grid.end(), is_positive) &&
         std::all_of(shape.block.begin(), shape.block.end(), is_positive) && std::isfinite(shape.threads());
}

// 0: none that a launch can have.
int32_t dimension(int64_t value) { return value > 0 && value <= INT32_MAX ? static_cast<int32_t>(value) : 0; }

// A call that launched work is a launch, whatever its name is in its vendor's runtime.
CallClass class_of_launch(log::ActivityKind activity) {
  if (activity == log::ActivityKind::kSynchronization) return CallClass::kOther;
  const bool copies = activity == log::ActivityKind::kMemcpy || activity == log::ActivityKind::kMemset;
  return copies ? CallClass::kCopy : CallClass::kKernel;
}

// Rows of matrix multiplications and collectives do not say on which device.
bool has_own_device(const HostCall& call) { return call.call_class != CallClass::kGemm && call.collective == kNoIndex; }

}  // namespace

void RecordedSpans::take(const RecordBlock& block) {
  for_rows_of<log::DeviceActivity>(block, [this](const log::DeviceActivity& row) { add(row); });
}

// Devices beyond kMostDevices are implausible: each costs a pass over all calls. Their work counts as the first one's.
size_t RecordedSpans::find_device(int64_t number) {
  if (devices_.size() >= kMostDevices && devices_.count(number) == 0)
    return static_cast<size_t>(state_.claims().ignore("device", number, 0));
  const auto [found, is_new] = devices_.try_emplace(number, trace_.devices.size());
  if (!is_new) return found->second;
  trace_.devices.emplace_back();
  trace_.devices.back().device = static_cast<int32_t>(number);
  streams_.emplace_back();
  correlations_.emplace_back();
  if (found->second == 0) {
    trace_.devices[0].spans.reserve(expected_);
    correlations_[0].reserve(expected_);
  }
  return found->second;
}

RecordedSpans::Target RecordedSpans::find_target(const log::DeviceActivity& row) {
  const size_t device = target_ && target_->device == row.device ? target_->device_index : find_device(row.device);
  auto& streams = trace_.devices[device].streams;
  const auto [found, is_new] =
      streams_[device].try_emplace({row.context, row.stream}, static_cast<uint32_t>(streams.size()));
  if (is_new) streams.push_back({row.context, row.stream, 0});
  return {row.device, row.context, row.stream, device, found->second};
}

uint32_t RecordedSpans::find_shape(const LaunchShape& shape) {
  if (!is_possible(shape)) return 0;
  auto& shapes = trace_.launch_shapes;
  const auto [found, is_new] = shapes_.try_emplace(shape, static_cast<uint32_t>(shapes.size()));
  if (is_new) shapes.push_back(shape);
  return found->second;
}

void RecordedSpans::add(const log::DeviceActivity& row) {
  if (!target_ || target_->device != row.device || target_->context != row.context || target_->stream != row.stream)
    target_ = find_target(row);
  DeviceSpan span;
  const Interval time = state_.claims().span(row.start, row.duration);
  span.start = time.start;
  span.end = time.end;
  span.bytes = row.bytes;
  span.name = state_.name(row.name);
  span.stream = target_->stream_index;
  span.launch_shape = find_shape({{dimension(row.grid_x), dimension(row.grid_y), dimension(row.grid_z)},
                                  {dimension(row.block_x), dimension(row.block_y), dimension(row.block_z)}});
  span.activity = static_cast<log::ActivityKind>(row.activity);
  span.copy_kind = static_cast<log::CopyKind>(row.copy_kind);
  if (row.host_memory >= 0 && row.host_memory <= static_cast<int64_t>(log::HostMemory::kPinned))
    span.host_memory = static_cast<log::HostMemory>(row.host_memory);
  trace_.devices[target_->device_index].spans.push_back(span);
  correlations_[target_->device_index].push_back(static_cast<uint64_t>(row.correlation));
  ++trace_.quality.events;
}

// Copies facts about launched work into the calls that launched it.
void RecordedSpans::tell_calls(const DeviceTrace& device) {
  for (const DeviceSpan& span : device.spans) {
    if (span.call == kNoIndex) continue;
    HostCall& call = trace_.calls[span.call];
    call.device = static_cast<int16_t>(device.device);
    if (span.copy_kind == log::CopyKind::kHostToDevice) call.is_input_copy = true;
    if (call.call_class == CallClass::kOther) call.call_class = class_of_launch(span.activity);
  }
}

void RecordedSpans::find_devices_of_calls() {
  if (!trace_.devices.empty() || trace_.calls.empty()) return;
  std::map<int64_t, uint64_t> launches;
  for (const HostCall& call : trace_.calls)
    if (launches_work(call.call_class) && has_own_device(call)) ++launches[call.device];
  std::vector<std::pair<uint64_t, int64_t>> busiest;
  for (const auto& [device, count] : launches) busiest.emplace_back(count, device);
  std::stable_sort(busiest.begin(), busiest.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  for (const auto& [count, device] : busiest) find_device(device);
  if (busiest.empty()) find_device(0);
  are_of_calls_ = true;
}

void RecordedSpans::give_devices_to_calls() {
  for (size_t thread = 0; thread + 1 < trace_.first_call.size(); ++thread) {
    auto current = static_cast<int16_t>(trace_.devices.front().device);
    for (uint32_t i = trace_.first_call[thread]; i < trace_.first_call[thread + 1]; ++i) {
      HostCall& call = trace_.calls[i];
      if (has_own_device(call))
        current = call.device;
      else
        call.device = current;
    }
  }
}

// Of the streams without a handle, that on which most calls without one have put work. Others may be a library's own,
// or the place of records about the whole device.
void RecordedSpans::find_default_stream(DeviceTrace& device) const {
  std::vector<uint64_t> launches(device.streams.size());
  for (const DeviceSpan& span : device.spans) {
    const bool is_work = span.activity != log::ActivityKind::kSynchronization;
    if (is_work && span.call != kNoIndex && device.streams[span.stream].handle == 0)
      launches[span.stream] += trace_.calls[span.call].stream == 0;
  }
  const auto most = std::max_element(launches.begin(), launches.end());
  if (most != launches.end() && *most > 0)
    device.streams[static_cast<size_t>(most - launches.begin())].is_default = true;
}

void RecordedSpans::finish(const LaunchJoin& launches, PossibleTimes& times, bool keeps_order) {
  if (are_of_calls_) give_devices_to_calls();
  for (size_t i = 0; i < trace_.devices.size(); ++i) {
    launches.join(trace_.devices[i], correlations_[i]);
    times.judge_device(trace_.devices[i], correlations_[i]);
    release(correlations_[i]);
    tell_calls(trace_.devices[i]);
    find_default_stream(trace_.devices[i]);
  }
  find_awaited_copies(trace_);
  unite_devices(trace_);
  for (DeviceTrace& device : trace_.devices) sort_spans(device, keeps_order);
}

}  // namespace tauprof
