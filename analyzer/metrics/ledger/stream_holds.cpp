#include "metrics/ledger/stream_holds.h"

#include <algorithm>
#include <map>

#include "model/sort_by_key.h"
#include "phases/call_order.h"

namespace tauprof {

StreamHolds::StreamHolds(const ProcessTrace& trace, const DeviceTrace& device) : trace_(trace), device_(device) {
  const StreamHandles handles(device_);
  const bool has_records = std::any_of(device_.spans.begin(), device_.spans.end(), [&](const DeviceSpan& span) {
    return span.call != kNoIndex && is_stream_wait(span);
  });
  source_ = handles.are_recorded() ? Source::kHandles : has_records ? Source::kRecords : Source::kOrder;
  if (source_ == Source::kOrder) {
    infer_by_order();
    return;
  }
  launches_.resize(device_.streams.size());
  holds_.resize(device_.streams.size());
  if (source_ == Source::kHandles)
    index_by_handle(handles);
  else
    index_by_records();
  for (auto* of_kind : {&launches_, &holds_})
    for (SortedTimes& times : *of_kind) times.sort();
}

void StreamHolds::index_by_handle(const StreamHandles& handles) {
  const auto add = [&](std::vector<SortedTimes>& lists, int64_t handle, const HostCall& call) {
    // Every device has a default stream, and all of them have handle 0.
    if (handle == 0 && call.device != device_.device) return;
    if (const uint32_t stream = handles.stream_of(handle); stream != kNoIndex) lists[stream].add(call.start);
  };
  std::vector<int64_t> grouped;  // streams of the calls that the next ncclGroupEnd launches
  for (const HostCall& call : trace_.calls) {
    const bool is_grouped = call.collective != kNoIndex && trace_.collectives[call.collective].group != 0;
    if (call.call_class == CallClass::kStreamWait || call.call_class == CallClass::kHostFunction) {
      add(holds_, call.stream, call);
    } else if (is_grouped) {
      grouped.push_back(call.stream);
    } else if (call.call_class == CallClass::kGroupEnd) {
      for (const int64_t handle : grouped) add(launches_, handle, call);
      grouped.clear();
    } else if (launches_work(call.call_class)) {
      add(launches_, call.stream, call);
      hold_turns(handles.stream_of(call.stream), handles.stream_of(0), call);
    }
  }
}

// The default stream and those that take turns with it hold each other.
void StreamHolds::hold_turns(uint32_t stream, uint32_t default_stream, const HostCall& call) {
  if (stream == kNoIndex || default_stream == kNoIndex || is_per_thread_default(trace_.names[call.function])) return;
  if (stream != default_stream) {
    if (device_.streams[stream].takes_turns) holds_[default_stream].add(call.start);
    return;
  }
  for (size_t i = 0; i < device_.streams.size(); ++i)
    if (device_.streams[i].takes_turns && call.device == device_.device) holds_[i].add(call.start);
}

void StreamHolds::index_by_records() {
  for (const DeviceSpan& span : device_.spans) {
    if (span.call == kNoIndex) continue;
    const Nanoseconds launched = trace_.calls[span.call].start;
    if (span.span_class != SpanClass::kNotWork)
      launches_[span.stream].add(launched);
    else if (is_stream_wait(span))
      holds_[span.stream].add(launched);
  }
}

void StreamHolds::infer_by_order() {
  std::vector<uint32_t> first_span(trace_.calls.size(), kNoIndex);
  for (uint32_t i = 0; i < device_.spans.size(); ++i) {
    const DeviceSpan& span = device_.spans[i];
    if (span.call != kNoIndex && span.span_class != SpanClass::kNotWork && first_span[span.call] == kNoIndex)
      first_span[span.call] = i;
  }
  std::vector<bool> is_record(trace_.names.size());
  for (NameId name = 0; name < trace_.names.size(); ++name)
    is_record[name] = trace_.names[name].find("EventRecord") != std::string_view::npos;
  const bool has_records = std::any_of(trace_.calls.begin(), trace_.calls.end(),
                                       [&](const HostCall& call) { return is_record[call.function]; });
  struct Thread {
    uint32_t waits = 0;             // that no launch has taken …
    uint32_t waits_for_record = 0;  // … of these: for an event that was recorded right before
    bool has_recorded = false;      // its last call
  };
  std::vector<Thread> threads(trace_.threads.size());
  uint32_t all_waits = 0;
  std::vector<bool> is_held(trace_.calls.size());
  const auto take = [&](Thread& thread, bool is_collective) {
    const uint32_t taken = is_collective && has_records ? thread.waits_for_record : thread.waits;
    thread.waits -= taken;
    thread.waits_for_record = 0;
    all_waits -= taken;
    return taken > 0;
  };
  for (const uint32_t index : outermost_calls_in_order(trace_)) {
    const HostCall& call = trace_.calls[index];
    Thread& caller = threads[call.thread];
    if (call.call_class == CallClass::kStreamWait || call.call_class == CallClass::kHostFunction) {
      ++caller.waits;
      ++all_waits;
      caller.waits_for_record += caller.has_recorded ? 1u : 0u;
    }
    caller.has_recorded = is_record[call.function];
    if (first_span[index] == kNoIndex || all_waits == 0) continue;
    const bool is_collective = device_.spans[first_span[index]].span_class == SpanClass::kComm;
    is_held[index] = take(caller, is_collective);
    if (is_held[index] || is_collective) continue;
    for (Thread& other : threads)
      if (take(other, false)) is_held[index] = true;
  }
  for (const DeviceSpan& span : device_.spans) is_held_.push_back(span.call != kNoIndex && is_held[span.call]);
}

bool StreamHolds::is_stream_wait(const DeviceSpan& span) const {
  return span.activity == log::ActivityKind::kSynchronization && trace_.names[span.name].starts_with("Stream Wait");
}

bool StreamHolds::is_held(uint32_t span) {
  if (source_ == Source::kOrder) return is_held_[span];
  const DeviceSpan& held = device_.spans[span];
  const HostCall& launch = trace_.calls[held.call];
  const Nanoseconds hold = holds_[held.stream].last_before(launch.start);
  return hold != kNever && hold > launches_[held.stream].last_before(launch.start);
}

void StreamHolds::SortedTimes::sort() {
  sort_by_key(times_.data(), times_.data() + times_.size(), [](Nanoseconds time) { return time; });
}

Nanoseconds StreamHolds::SortedTimes::last_before(Nanoseconds time) {
  constexpr size_t kNear = 16;
  const size_t from = next_;
  while (next_ < times_.size() && times_[next_] < time && next_ < from + kNear) ++next_;
  while (next_ > 0 && times_[next_ - 1] >= time && next_ + kNear > from) --next_;
  const bool is_found = (next_ == times_.size() || times_[next_] >= time) && (next_ == 0 || times_[next_ - 1] < time);
  if (!is_found) next_ = static_cast<size_t>(std::lower_bound(times_.begin(), times_.end(), time) - times_.begin());
  return next_ == 0 ? kNever : times_[next_ - 1];
}

}  // namespace tauprof
