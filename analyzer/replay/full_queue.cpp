#include "replay/full_queue.h"

#include <algorithm>

#include "limits/analysis_limits.h"

namespace tauprof {

uint64_t FullQueue::started_before(uint32_t device, size_t spans) const {
  std::vector<uint32_t>& started = started_[device];
  if (started.empty()) {
    started.push_back(0);
    for (const uint32_t operation : nodes_[device]) started.push_back(started.back() + (operation == kNoIndex ? 0 : 1));
  }
  return started[spans];
}

uint32_t FullQueue::made_room(uint32_t device, const HostCall& call, uint64_t launched) const {
  const std::vector<DeviceSpan>& spans = trace_.devices[device].spans;
  const auto after = std::upper_bound(spans.begin(), spans.end(), call.end,
                                      [](Nanoseconds time, const DeviceSpan& span) { return time < span.start; });
  const uint64_t started = started_before(device, static_cast<size_t>(after - spans.begin()));
  if (started == 0 || launched < started + kQueueFull) return kNoIndex;
  // Whatever ended last before the call returned made room, however late the host noticed.
  constexpr int kLooked = 64;
  uint32_t made_room = kNoIndex;
  Nanoseconds last_end = call.start;
  for (auto span = after; span != spans.begin() && after - span < kLooked;) {
    --span;
    const uint32_t operation = nodes_[device][static_cast<size_t>(span - spans.begin())];
    if (operation == kNoIndex || span->end > call.end || span->end <= last_end) continue;
    made_room = operation;
    last_end = span->end;
  }
  return made_room;
}

}  // namespace tauprof
