#include "replay/stream_state.h"

#include <algorithm>
#include <utility>

namespace tauprof {

StreamState::StreamState(const ProcessTrace& trace, const std::vector<std::vector<uint32_t>>& nodes)
    : trace_(trace), nodes_(nodes), is_record_(trace.names.size()), is_per_thread_(trace.names.size()) {
  for (const DeviceTrace& device : trace.devices) {
    Device& state = devices_.emplace_back(Device{StreamHandles(device), {}, StreamHolds(trace, device), {}});
    state.streams.resize(device.streams.size());
    for (uint32_t i = 0; i < device.streams.size(); ++i)
      if (device.streams[i].takes_turns) state.turns.push_back(i);
    has_handles_ |= state.handles.are_recorded();
  }
  for (NameId name = 0; name < trace.names.size(); ++name) {
    is_record_[name] = trace.names[name].find("EventRecord") != std::string_view::npos;
    is_per_thread_[name] = is_per_thread_default(trace.names[name]);
  }
}

uint32_t StreamState::device_of(const HostCall& call) const {
  for (uint32_t i = 0; i < trace_.devices.size(); ++i)
    if (trace_.devices[i].device == call.device) return i;
  return 0;
}

StreamState::Stream* StreamState::stream_of(const HostCall& call) {
  const uint32_t own = device_of(call);
  if (Stream* const stream = stream_of(own, call.stream)) return stream;
  if (call.stream == 0) return nullptr;
  for (uint32_t device = 0; device < devices_.size(); ++device)
    if (Stream* const stream = stream_of(device, call.stream)) return stream;
  return nullptr;
}

StreamState::Stream* StreamState::stream_of(uint32_t device, int64_t handle) {
  const uint32_t index = devices_[device].handles.stream_of(handle);
  return index != kNoIndex ? &devices_[device].streams[index] : nullptr;
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
    add_turns(call, stands_for);
  } else if (const auto recorded = events_.find(event); recorded != events_.end()) {
    for (const uint32_t operation : recorded->second)
      if (operation != stream->last &&
          std::find(stream->pending.begin(), stream->pending.end(), operation) == stream->pending.end())
        stream->pending.push_back(operation);
  }
}

// CUDA Runtime, "Stream synchronization behavior": work on the legacy default stream waits for all blocking streams,
// and these for it.
void StreamState::take_turn(Device& device, uint32_t stream) {
  const uint32_t other = device.handles.stream_of(0);
  if (other == kNoIndex || device.turns.empty()) return;
  Stream& own = device.streams[stream];
  const auto wait = [&own](uint32_t last, uint32_t& until) {
    if (std::exchange(until, last) != last) own.pending.push_back(last);
  };
  if (stream == other) {
    for (const uint32_t turn : device.turns) wait(device.streams[turn].last, device.streams[turn].awaited_until);
  } else if (std::find(device.turns.begin(), device.turns.end(), stream) != device.turns.end()) {
    wait(device.streams[other].last, own.default_until);
  }
}

void StreamState::add_turns(const HostCall& call, std::vector<uint32_t>& awaited) const {
  if (call.stream != 0 || is_per_thread_[call.function]) return;
  const Device& device = devices_[device_of(call)];
  for (const uint32_t turn : device.turns)
    if (device.streams[turn].last != kNoIndex) awaited.push_back(device.streams[turn].last);
}

void StreamState::take_launch(uint32_t device, uint32_t span, std::vector<Held>& held) {
  const DeviceSpan& launched = trace_.devices[device].spans[span];
  Device& state = devices_[device];
  Stream& stream = state.streams[launched.stream];
  const uint32_t operation = nodes_[device][span];
  if (!is_per_thread_[trace_.calls[launched.call].function]) take_turn(state, launched.stream);
  for (const uint32_t awaited : stream.pending) held.push_back({operation, awaited});
  stream.pending.clear();
  stream.last = operation;
  ++state.launched;
}

std::vector<uint32_t> StreamState::last_launched(uint32_t device) const {
  std::vector<uint32_t> result;
  for (const Stream& stream : devices_[device].streams)
    if (stream.last != kNoIndex) result.push_back(stream.last);
  return result;
}

std::optional<std::vector<uint32_t>> StreamState::awaited_by(uint32_t index) const {
  const HostCall& call = trace_.calls[index];
  const std::string_view name = trace_.names[call.function];
  if (name.find("Event") != std::string_view::npos) {
    if (const auto event = events_.find(event_of(index)); event != events_.end()) return event->second;
    return std::nullopt;
  }
  if (name.find("Stream") == std::string_view::npos) return last_launched(device_of(call));
  const Stream* const stream = stream_of(call);
  if (stream == nullptr) return std::nullopt;
  std::vector<uint32_t> awaited = stream->pending;
  if (stream->last != kNoIndex) awaited.push_back(stream->last);
  add_turns(call, awaited);
  return awaited;
}

}  // namespace tauprof
