#include "metrics/ledger/stream_holds.h"

#include <algorithm>
#include <map>

#include "model/sort_by_key.h"

namespace tauprof {

StreamHolds::StreamHolds(const ProcessTrace& trace, const DeviceTrace& device) : trace_(trace), device_(device) {
  const bool has_handles = std::any_of(device_.streams.begin(), device_.streams.end(),
                                       [](const DeviceStream& stream) { return stream.handle != 0; });
  const bool has_records = std::any_of(device_.spans.begin(), device_.spans.end(), [&](const DeviceSpan& span) {
    return span.call != kNoIndex && is_stream_wait(span);
  });
  source_ = has_handles ? Source::kHandles : has_records ? Source::kRecords : Source::kThreads;
  launches_.resize(device_.streams.size());
  holds_.resize(source_ == Source::kThreads ? trace_.threads.size() : device_.streams.size());
  if (source_ == Source::kHandles)
    index_by_handle();
  else
    index_by_records();
  for (auto* lists : {&launches_, &holds_})
    for (SortedTimes& times : *lists) times.sort();
}

void StreamHolds::index_by_handle() {
  std::map<int64_t, size_t> stream_of_handle;
  for (size_t i = 0; i < device_.streams.size(); ++i) stream_of_handle[device_.streams[i].handle] = i;
  const auto add = [&](std::vector<SortedTimes>& lists, int64_t handle, const HostCall& call) {
    // Every device has a default stream, and all of them have handle 0.
    if (handle == 0 && call.device != device_.device) return;
    if (const auto stream = stream_of_handle.find(handle); stream != stream_of_handle.end())
      lists[stream->second].add(call.start);
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
    }
  }
}

void StreamHolds::index_by_records() {
  for (const DeviceSpan& span : device_.spans) {
    if (span.call == kNoIndex) continue;
    const Nanoseconds launched = trace_.calls[span.call].start;
    if (span.span_class != SpanClass::kNotWork)
      launches_[span.stream].add(launched);
    else if (source_ == Source::kRecords && is_stream_wait(span))
      holds_[span.stream].add(launched);
  }
  if (source_ == Source::kRecords) return;
  for (const HostCall& call : trace_.calls)
    if (call.call_class == CallClass::kStreamWait || call.call_class == CallClass::kHostFunction)
      holds_[call.thread].add(call.start);
}

bool StreamHolds::is_stream_wait(const DeviceSpan& span) const {
  return span.activity == log::ActivityKind::kSynchronization && trace_.names[span.name].starts_with("Stream Wait");
}

bool StreamHolds::is_held(uint32_t span) {
  const DeviceSpan& held = device_.spans[span];
  const HostCall& launch = trace_.calls[held.call];
  const Nanoseconds hold = holds_[source_ == Source::kThreads ? launch.thread : held.stream].last_before(launch.start);
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
