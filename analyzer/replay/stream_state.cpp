#include "replay/stream_state.h"

#include <algorithm>

#include "limits/analysis_limits.h"

namespace tauprof {

StreamState::StreamState(const ProcessTrace& trace, const std::vector<std::vector<uint32_t>>& nodes)
    : trace_(trace), nodes_(nodes), is_record_(trace.names.size()) {
  for (const DeviceTrace& device : trace.devices) {
    Device& state = devices_.emplace_back(Device{{}, {}, StreamHolds(trace, device)});
    state.streams.resize(device.streams.size());
    for (uint32_t i = 0; i < device.streams.size(); ++i) {
      state.stream_of_handle[device.streams[i].handle] = i;
      has_handles_ |= device.streams[i].handle != 0;
    }
  }
  for (NameId name = 0; name < trace.names.size(); ++name)
    is_record_[name] = trace.names[name].find("EventRecord") != std::string_view::npos;
}

uint32_t StreamState::device_of(const HostCall& call) const {
  for (uint32_t i = 0; i < trace_.devices.size(); ++i)
    if (trace_.devices[i].device == call.device) return i;
  return 0;
}

StreamState::Stream* StreamState::stream_of(const HostCall& call) {
  if (!has_handles_) return nullptr;
  Device& current = devices_[device_of(call)];
  if (const auto found = current.stream_of_handle.find(call.stream); found != current.stream_of_handle.end())
    return &current.streams[found->second];
  if (call.stream == 0) return nullptr;
  for (Device& device : devices_)
    if (const auto found = device.stream_of_handle.find(call.stream); found != device.stream_of_handle.end())
      return &device.streams[found->second];
  return nullptr;
}

int64_t StreamState::event_of(uint32_t call) const {
  const auto use = std::lower_bound(trace_.event_uses.begin(), trace_.event_uses.end(), call,
                                    [](const EventUse& one, uint32_t index) { return one.call < index; });
  return use != trace_.event_uses.end() && use->call == call ? use->event : 0;
}

void StreamState::take_call(uint32_t index) {
  const HostCall& call = trace_.calls[index];
  const bool is_record = is_record_[call.function];
  if (!is_record && call.call_class != CallClass::kStreamWait) return;
  Stream* const stream = stream_of(call);
  const int64_t event = event_of(index);
  if (stream == nullptr || event == 0) return;
  if (is_record) {
    std::vector<uint32_t>& stands_for = events_[event];
    stands_for = stream->pending;
    if (stream->last != kNoIndex) stands_for.push_back(stream->last);
  } else if (const auto recorded = events_.find(event); recorded != events_.end()) {
    for (const uint32_t operation : recorded->second)
      if (operation != stream->last &&
          std::find(stream->pending.begin(), stream->pending.end(), operation) == stream->pending.end())
        stream->pending.push_back(operation);
  }
}

void StreamState::take_launch(uint32_t device, uint32_t span, std::vector<Held>& held) {
  const DeviceSpan& launched = trace_.devices[device].spans[span];
  Device& state = devices_[device];
  Stream& stream = state.streams[launched.stream];
  const uint32_t operation = nodes_[device][span];
  if (has_handles_)
    for (const uint32_t awaited : stream.pending) held.push_back({operation, awaited});
  else if (state.holds.is_held(span))
    hold_by_time(device, span, true, held);
  else if (is_unexplained(launched, stream))
    hold_by_time(device, span, false, held);
  stream.pending.clear();
  stream.last = operation;
  stream.last_end = launched.end;
  if (!has_handles_) stream.launched.push_back({launched.end, operation});
  ++state.launched;
}

const StreamState::Stream::Launched* StreamState::Stream::ended_by(Nanoseconds time) const {
  const auto after = std::upper_bound(launched.begin(), launched.end(), time,
                                      [](Nanoseconds at, const Launched& one) { return at < one.end; });
  return after == launched.begin() ? nullptr : &*(after - 1);
}

// It started long after it was launched and its stream was free.
bool StreamState::is_unexplained(const DeviceSpan& span, const Stream& stream) const {
  const Nanoseconds launched = trace_.calls[span.call].start;
  const Nanoseconds free = stream.last == kNoIndex ? launched : std::max(launched, stream.last_end);
  return span.start - free > kEventNoticed;
}

void StreamState::hold_by_time(uint32_t device, uint32_t span, bool is_known, std::vector<Held>& held) const {
  const DeviceSpan& held_span = trace_.devices[device].spans[span];
  const Stream::Launched* last = nullptr;
  for (const Stream& stream : devices_[device].streams) {
    if (&stream == &devices_[device].streams[held_span.stream]) continue;
    const Stream::Launched* const ended = stream.ended_by(held_span.start);
    if (ended != nullptr && (last == nullptr || ended->end > last->end)) last = ended;
  }
  if (last != nullptr && (is_known || held_span.start - last->end <= kEventNoticed))
    held.push_back({nodes_[device][span], last->operation});
}

std::vector<uint32_t> StreamState::last_launched(uint32_t device) const {
  std::vector<uint32_t> result;
  for (const Stream& stream : devices_[device].streams)
    if (stream.last != kNoIndex) result.push_back(stream.last);
  return result;
}

std::vector<uint32_t> StreamState::awaited_by(uint32_t index) const {
  const HostCall& call = trace_.calls[index];
  const std::string_view name = trace_.names[call.function];
  if (name.find("Event") != std::string_view::npos) {
    if (const auto event = events_.find(event_of(index)); event != events_.end()) return event->second;
  } else if (name.find("Stream") != std::string_view::npos) {
    if (const Stream* const stream = stream_of(call)) {
      std::vector<uint32_t> awaited = stream->pending;
      if (stream->last != kNoIndex) awaited.push_back(stream->last);
      return awaited;
    }
  } else {
    return last_launched(device_of(call));
  }
  // Nothing says which stream: the work of any that ended last before the call returned.
  const Stream* last = nullptr;
  for (const Stream& stream : devices_[device_of(call)].streams)
    if (stream.last != kNoIndex && stream.last_end <= call.end + kEventNoticed &&
        (last == nullptr || stream.last_end > last->last_end))
      last = &stream;
  return last == nullptr ? std::vector<uint32_t>() : std::vector<uint32_t>{last->last};
}

}  // namespace tauprof
