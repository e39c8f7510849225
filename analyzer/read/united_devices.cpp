#include "read/united_devices.h"

#include <algorithm>
#include <cstddef>

namespace tauprof {
namespace {

Nanoseconds work_on(const DeviceTrace& device) {
  Nanoseconds sum = 0;
  for (const DeviceSpan& span : device.spans) sum += span.end - span.start;
  return sum;
}

void take_over(DeviceTrace& from, DeviceTrace& into) {
  const auto first_stream = static_cast<uint32_t>(into.streams.size());
  for (DeviceStream& stream : from.streams) {
    stream.device = from.device;
    into.streams.push_back(stream);
  }
  for (DeviceSpan& span : from.spans) {
    span.stream += first_stream;
    into.spans.push_back(span);
  }
  if (into.name.empty()) into.name = from.name;
  into.unmatched_spans += from.unmatched_spans;
  into.clamped_latencies += from.clamped_latencies;
  into.united_with.push_back(from.device);
  from.spans = {};
}

}  // namespace

void unite_devices(ProcessTrace& trace) {
  std::vector<DeviceTrace>& devices = trace.devices;
  const bool is_numbered =
      std::any_of(devices.begin(), devices.end(), [](const DeviceTrace& device) { return device.rank >= 0; });
  if (devices.size() < 2 || is_numbered) return;
  const auto busiest = std::max_element(devices.begin(), devices.end(), [](const DeviceTrace& a, const DeviceTrace& b) {
    return work_on(a) < work_on(b);
  });
  std::iter_swap(devices.begin(), busiest);
  DeviceTrace& one = devices.front();
  for (DeviceStream& stream : one.streams) stream.device = one.device;
  for (size_t i = 1; i < devices.size(); ++i) take_over(devices[i], one);
  std::sort(one.united_with.begin(), one.united_with.end());
  devices.resize(1);
  for (HostCall& call : trace.calls) call.device = static_cast<int16_t>(one.device);
}

}  // namespace tauprof
