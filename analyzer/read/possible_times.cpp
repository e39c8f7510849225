#include "read/possible_times.h"

#include <algorithm>
#include <limits>
#include <type_traits>

#include "limits/analysis_limits.h"
#include "model/time_stretch.h"

namespace tauprof {
namespace {

constexpr char kOutside[] = "times outside of the recording";
constexpr char kBeforeLaunch[] = "device work long before its launch";

constexpr Nanoseconds kNoLaunch = std::numeric_limits<Nanoseconds>::max();
constexpr Nanoseconds kLongest = Nanoseconds{1} << 61;  // of a latency; sums of two fit

// The most that the clocks of host and device may be apart in a recording of this length.
Nanoseconds apart_after(Nanoseconds length) {
  return kDeviceOff + static_cast<Nanoseconds>(kMostDrift * static_cast<double>(length));
}

template <class Record>
Interval times_of(const Record& record) {
  if constexpr (requires { record.time; })
    return {record.time, record.time};
  else
    return {record.start, record.end};
}

// Of `value` of each latency, where there is a launch and a value; 0: of none.
template <class Value>
Nanoseconds median_of(const std::vector<Nanoseconds>& latencies, Value&& value) {
  std::vector<Nanoseconds> values;
  for (const Nanoseconds latency : latencies)
    if (latency != kNoLaunch && value(latency) != kNoLaunch) values.push_back(value(latency));
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// A span that lies at least in part after the host's last time, and its position.
struct OuterSpan {
  Interval time;
  size_t index;
};

// Marks what comes after a silence that is longer than all that is known before it: at first `known`, then
// what follows it without such a silence.
void mark_after_silence(std::vector<OuterSpan> spans, Interval known, std::vector<bool>& far) {
  std::sort(spans.begin(), spans.end(),
            [](const OuterSpan& a, const OuterSpan& b) { return a.time.start < b.time.start; });
  for (const OuterSpan& span : spans) {
    if (span.time.start - known.end > known.length())
      far[span.index] = true;
    else
      known.end = std::max(known.end, span.time.end);
  }
}

template <class Item>
void erase_marked(std::vector<Item>& items, const std::vector<bool>& marked) {
  size_t kept = 0;
  for (size_t i = 0; i < items.size(); ++i)
    if (!marked[i]) items[kept++] = items[i];
  items.resize(kept);
}

}  // namespace

// The log is opened a while after the first records were made: on a busy machine, its writer starts late.
Interval PossibleTimes::stretch_of_recorder() const {
  const Nanoseconds first = recorded_.start - TimeStretch::kLongestPause;
  if (recorded_.end == kLatestTime) return {first, kLatestTime};
  return {first, recorded_.end + apart_after(recorded_.length())};
}

Interval PossibleTimes::stretch_of_trace() const {
  TimeStretch stretch;
  const auto add = [&](const auto& records) {
    for (const auto& record : records) stretch.add(times_of(record).start), stretch.add(times_of(record).end);
  };
  add(trace_.calls);
  add(trace_.ranges);
  for (const DeviceTrace& device : trace_.devices) add(device.spans);
  return stretch.main();
}

void PossibleTimes::count(const char* reason, uint64_t records) {
  if (records == 0) return;
  trace_.quality.impossible[reason] += records;
  trace_.quality.dropped[reason] += records;
}

template <class Record>
void PossibleTimes::drop_outside(std::vector<Record>& records) {
  count(kOutside, std::erase_if(records, [&](const Record& record) {
          const Interval time = times_of(record);
          return !is_inside(time.start, time.end);
        }));
}

void PossibleTimes::judge_host() {
  inside_ = trace_.clock == log::Clock::kTrace ? stretch_of_trace() : stretch_of_recorder();
  drop_outside(trace_.calls);
  std::erase_if(trace_.cpu_readings, [&](const CpuReading& one) { return !is_inside(one.time, one.time); });
  drop_outside(trace_.ranges);
  drop_outside(trace_.annotated_collectives);
  drop_outside(trace_.step_marks);
  drop_outside(trace_.device_times);
  drop_outside(trace_.memory);
  host_ = {kLatestTime, kEarliestTime};
  const auto add = [&](const auto& record) {
    host_ = {std::min(host_.start, record.start), std::max(host_.end, record.end)};
  };
  for (const HostCall& call : trace_.calls) add(call);
  for (const HostRange& range : trace_.ranges) add(range);
}

// Only traces of other tools are judged by this: their host's records end where their device's do.
std::vector<bool> PossibleTimes::far_from_host(const DeviceTrace& device) const {
  std::vector<bool> far(device.spans.size(), false);
  if (host_.is_empty() || trace_.clock != log::Clock::kTrace) return far;
  std::vector<OuterSpan> after, before;
  for (size_t i = 0; i < device.spans.size(); ++i) {
    const DeviceSpan& span = device.spans[i];
    if (!is_inside(span.start, span.end)) continue;
    if (span.end > host_.end) after.push_back({{span.start, span.end}, i});
    if (span.start < host_.start) before.push_back({{-span.end, -span.start}, i});
  }
  mark_after_silence(std::move(after), host_, far);
  mark_after_silence(std::move(before), {-host_.end, -host_.start}, far);
  const auto odd = static_cast<double>(std::count(far.begin(), far.end(), true));
  // Many such spans say that the host's records end early, or that its clock is another one.
  if (odd >= TimeStretch::kOddShare * static_cast<double>(far.size())) far.assign(far.size(), false);
  return far;
}

// From its launch to the span; kNoLaunch where no launch is known.
Nanoseconds PossibleTimes::latency_of(const DeviceSpan& span) const {
  if (span.call == kNoIndex || span.activity == log::ActivityKind::kSynchronization) return kNoLaunch;
  return std::clamp(span.start - trace_.calls[span.call].start, -kLongest, kLongest);
}

// Which spans to drop; empty: none. Moves all spans if the device's clock is behind.
std::vector<bool> PossibleTimes::before_launch(DeviceTrace& device) {
  const std::vector<DeviceSpan>& spans = device.spans;
  const Nanoseconds apart = apart_after(host_.is_empty() ? 0 : host_.length());
  const auto behind =
      std::count_if(spans.begin(), spans.end(), [&](const DeviceSpan& span) { return latency_of(span) < -apart; });
  if (behind == 0) return {};
  std::vector<Nanoseconds> all;
  for (const DeviceSpan& span : spans) all.push_back(latency_of(span));
  std::vector<bool> dropped(all.size(), false);
  const auto launched = std::count_if(all.begin(), all.end(), [](Nanoseconds latency) { return latency != kNoLaunch; });
  const bool is_clock = are_most(behind, launched);
  const Nanoseconds centre = is_clock ? median_of(all, [](Nanoseconds latency) { return latency; }) : 0;
  const Nanoseconds usual = median_of(all, [&](Nanoseconds latency) {
    return is_clock ? std::abs(latency - centre) : latency < 0 ? kNoLaunch : latency;
  });
  Nanoseconds earliest = 0;
  for (size_t i = 0; i < all.size(); ++i) {
    dropped[i] = all[i] < centre - apart - usual;
    if (!dropped[i]) earliest = std::min(earliest, all[i]);
  }
  if (is_clock) move(device, -earliest);
  return dropped;
}

void PossibleTimes::move(DeviceTrace& device, Nanoseconds by) {
  for (DeviceSpan& span : device.spans) {
    span.start = std::min(span.start + by, kLatestTime);
    span.end = std::min(span.end + by, kLatestTime);
  }
  trace_.quality.moved_devices.push_back({device.device, by});
}

void PossibleTimes::drop(DeviceTrace& device, std::vector<uint64_t>& correlations, const std::vector<bool>& dropped,
                         const char* reason) {
  const auto number = static_cast<uint64_t>(std::count(dropped.begin(), dropped.end(), true));
  if (number == 0) return;
  erase_marked(device.spans, dropped);
  erase_marked(correlations, dropped);
  count(reason, number);
  trace_.quality.dropped_device_work += number;
}

void PossibleTimes::judge_device(DeviceTrace& device, std::vector<uint64_t>& correlations) {
  drop(device, correlations, before_launch(device), kBeforeLaunch);
  std::vector<bool> far = far_from_host(device);
  for (size_t i = 0; i < far.size(); ++i)
    if (!is_inside(device.spans[i].start, device.spans[i].end)) far[i] = true;
  drop(device, correlations, far, kOutside);
  for (const DeviceSpan& span : device.spans) {
    device.clamped_latencies += latency_of(span) < 0;
    device.unmatched_spans += span.call == kNoIndex && span.activity != log::ActivityKind::kSynchronization;
  }
}

}  // namespace tauprof
