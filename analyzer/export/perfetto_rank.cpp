#include "export/perfetto_rank.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>

#include "export/event_names.h"
#include "export/located_events.h"
#include "metrics/collectives/collective_units.h"
#include "metrics/kernels/kernel_totals.h"
#include "metrics/memory/memory_in_use.h"
#include "report/value_names.h"

namespace tauprof::perfetto {
namespace {

// Tracks of a rank are numbered behind its process; flows from calls behind the rank, and those of collectives apart.
constexpr int kRankShift = 32;
constexpr int kCallShift = 40;
constexpr uint64_t kCollectiveFlows = uint64_t{1} << 63;

std::string process_name(const RankTimeline& rank) {
  std::string name = fmt::format("rank {}", rank.rank);
  if (!rank.host.empty()) name += " on " + rank.host;
  if (!rank.device_name.empty()) name += fmt::format(", device {} ({})", rank.device, rank.device_name);
  return name;
}

std::string thread_name(const HostThread& thread, std::string_view name) {
  std::string text = fmt::format("thread {}", thread.os_id);
  if (!name.empty()) text += fmt::format(" {}", name);
  return thread.is_main ? text + " (main)" : text;
}

std::string stream_name(const DeviceStream& stream) {
  if (stream.device < 0) return fmt::format("stream {}", stream.number);
  return fmt::format("device {}, stream {}", stream.device, stream.number);
}

CounterUnit unit_of(std::string_view metric) {
  return metric.ends_with("_bytes") ? CounterUnit::kBytes : CounterUnit::kNone;
}

}  // namespace

RankTracks::RankTracks(const RunView& run, const RankView& rank, const CollectiveMatches& matches, Nanoseconds origin,
                       PacketWriter& packets)
    : run_(run),
      rank_(rank),
      matches_(matches),
      origin_(origin),
      packets_(packets),
      process_((uint64_t{rank.index} + 1) << kRankShift),
      calls_(rank) {}

void RankTracks::write() {
  packets_.start_sequence(rank_.index + 1);
  packets_.add_process(process_, static_cast<int32_t>(rank_.index + 1), process_name(rank_.timeline));
  write_steps();
  write_ledger();
  write_phase_slices();
  write_phases();
  write_streams();
  write_threads();
  write_memory();
  write_telemetry();
}

uint64_t RankTracks::add_track(uint64_t parent, std::string_view name) {
  const uint64_t track = new_track();
  packets_.add_track(track, parent, name);
  return track;
}

uint64_t RankTracks::place(Interval slice, Lanes& lanes) {
  const size_t lane =
      lanes.lanes.add(slice, [&](size_t of, Nanoseconds end) { packets_.end(lanes.tracks[of], time(end)); });
  while (lane >= lanes.tracks.size()) lanes.tracks.push_back(add_track(lanes.parent, lanes.name));
  return lanes.tracks[lane];
}

void RankTracks::finish(Lanes& lanes) {
  lanes.lanes.finish([&](size_t of, Nanoseconds end) { packets_.end(lanes.tracks[of], time(end)); });
}

void RankTracks::write_steps() {
  const uint64_t on_device = add_track(process_, "steps"), on_host = add_track(process_, "steps on the host");
  const std::string_view unit = run_.report.unit();
  for (const RankStep& step : rank_.timeline.steps) {
    if (!run_.covers(step.number)) continue;
    const std::string name = fmt::format("{} {}", unit, step.number);
    annotations_ = {{"step", {}, step.number}, {"analysed", {}, run_.report.metrics.steps.selection.has(step.number)}};
    const auto write = [&](uint64_t track, const Interval& window) {
      packets_.begin({track, time(window.start), name, 0, "step", &annotations_, nullptr});
      packets_.end(track, time(window.end));
    };
    if (step.device) write(on_device, *step.device);
    write(on_host, step.host);
  }
}

// A value holds for a step's device window; there is one more, 0, at the end of the last.
void RankTracks::write_ledger() {
  const uint64_t group = add_track(process_, "ledger");
  for (size_t row = 0; row < kLedgerRowCount; ++row) {
    const uint64_t track = new_track();
    packets_.add_counter(track, group, kLedgerRowNames[row], CounterUnit::kTimeNs);
    const RankStep* last = nullptr;
    for (const RankStep& step : rank_.timeline.steps) {
      if (!step.device || !run_.covers(step.number)) continue;
      Nanoseconds sum = 0;
      for (const LedgerCell& cell : step.cells)
        if (static_cast<size_t>(cell.row) == row) sum += cell.length;
      packets_.count(track, time(step.device->start), sum);
      last = &step;
    }
    if (last) packets_.count(track, time(last->device->end), 0);
  }
}

void RankTracks::write_phases() {
  std::vector<RankStep> steps;
  for (const RankStep& step : rank_.timeline.steps)
    if (run_.covers(step.number)) steps.push_back(step);
  const uint64_t on_host = add_track(process_, "phases on the host"),
                 on_device = add_track(process_, "phases on the device");
  for (size_t phase = 0; phase < kPhaseCount; ++phase) {
    const uint64_t host = new_track(), device = new_track();
    packets_.add_counter(host, on_host, kPhaseNames[phase], CounterUnit::kTimeNs);
    packets_.add_counter(device, on_device, kPhaseNames[phase], CounterUnit::kTimeNs);
    for (const RankStep& step : steps) {
      packets_.count(host, time(step.host.start), step.host_by_phase[phase]);
      if (step.device) packets_.count(device, time(step.device->start), step.device_by_phase[phase]);
    }
    if (!steps.empty()) packets_.count(host, time(steps.back().host.end), 0);
    if (!steps.empty() && steps.back().device) packets_.count(device, time(steps.back().device->end), 0);
  }
}

// On the host, the times that the counters sum up. On the device, a slice from the first to the last of the work of one
// phase that starts in a row.
void RankTracks::write_phase_slices() {
  Lanes host{process_, "phases on the host", SliceLanes(LaneKind::kFlat), {}},
      device{process_, "phases on the device", SliceLanes(LaneKind::kFlat), {}};
  const auto write = [&](Lanes& lanes, Interval slice, Phase phase) {
    const uint64_t track = place(slice, lanes);
    packets_.begin({track, time(slice.start), phase_name(phase), 0, "phase", nullptr, nullptr});
  };
  for (const PhaseSlice& slice : rank_.trace.phase_slices)
    if (rank_.shows(slice.start, slice.end)) write(host, {slice.start, slice.end}, slice.phase);
  finish(host);
  std::optional<PhaseSlice> open;
  for (const DeviceSpan& span : rank_.device.spans) {
    if (span.span_class == SpanClass::kNotWork || !rank_.shows(span.start, span.end)) continue;
    if (open && open->phase == span.phase) {
      open->end = std::max(open->end, span.end);
      continue;
    }
    if (open) write(device, {open->start, open->end}, open->phase);
    open = PhaseSlice{span.start, span.end, span.phase};
  }
  if (open) write(device, {open->start, open->end}, open->phase);
  finish(device);
}

// After each allocation and each free.
void RankTracks::write_memory() {
  MemoryInUse in_use(rank_.trace, rank_.device);
  uint64_t track = 0;
  for (const MemoryEvent& event : rank_.trace.memory) {
    if (!in_use.take(event) || !in_use.is_recorded() || !rank_.shows(event.time, event.time)) continue;
    if (track == 0) {
      track = new_track();
      packets_.add_counter(track, process_, "device memory in use", CounterUnit::kBytes);
    }
    packets_.count(track, time(event.time), in_use.total());
  }
}

void RankTracks::write_telemetry() {
  std::map<std::pair<int32_t, NameId>, uint64_t> tracks;
  for (const TelemetryReading& reading : rank_.trace.telemetry) {
    if (reading.device >= 0 && reading.device != rank_.device.device) continue;
    if (!rank_.shows(reading.time, reading.time)) continue;
    uint64_t& track = tracks[{reading.device, reading.metric}];
    if (track == 0) {
      track = new_track();
      const std::string_view metric = rank_.trace.names[reading.metric];
      packets_.add_counter(track, process_, metric, unit_of(metric));
    }
    packets_.count(track, time(reading.time), reading.value);
  }
}

void RankTracks::annotate_span(const DeviceSpan& span) {
  annotations_ = {{"class", name_of(span.span_class)}, {"phase", phase_name(span.phase)}};
  if (const RankStep* const step = step_on_device(rank_.timeline, span.start))
    annotations_.push_back({"step", {}, step->number});
  if (span.bytes != 0) annotations_.push_back({"bytes", {}, span.bytes});
  if (span.collective != kNoIndex) {
    const CollectiveCall& collective = rank_.trace.collectives[span.collective];
    annotations_.push_back({"operation", name_of(collective.operation)});
    annotations_.push_back({"elements", {}, collective.count});
    annotations_.push_back({"datatype", name_of(collective.datatype)});
  }
}

// Flows: from the call that launched it, and among the ranks of a collective, where the first span of the rank counts.
void RankTracks::connect_span(uint32_t index, const std::vector<uint32_t>& unit_of_span,
                              std::vector<bool>& is_connected) {
  flows_.clear();
  const DeviceSpan& span = rank_.device.spans[index];
  if (span.call != kNoIndex) flows_.push_back(((uint64_t{rank_.index} + 1) << kCallShift) + span.call + 1);
  const uint32_t unit = unit_of_span[index];
  if (unit == kNoIndex || is_connected[unit]) return;
  is_connected[unit] = true;
  for (const auto& [collective, match] : matches_.of(rank_.index, unit))
    if (run_.matches[match].members.size() > 1) flows_.push_back(kCollectiveFlows + match);
}

void RankTracks::write_streams() {
  const CollectiveUnits units = collective_units(rank_.trace, rank_.device);
  std::vector<bool> is_connected(units.units.size());
  const uint64_t group = add_track(process_, "streams");
  std::vector<std::string> names;
  for (const DeviceStream& stream : rank_.device.streams) names.push_back(stream_name(stream));
  std::vector<Lanes> streams;
  for (const std::string& name : names) streams.push_back({group, name, SliceLanes(LaneKind::kFlat), {}});
  for (uint32_t index = 0; index < rank_.device.spans.size(); ++index) {
    const DeviceSpan& span = rank_.device.spans[index];
    if (!rank_.shows(span.start, span.end)) continue;
    annotate_span(span);
    connect_span(index, units.unit_of_span, is_connected);
    const std::string_view name = name_of_work(span, rank_.trace.names);
    const uint64_t track = place({span.start, span.end}, streams[span.stream]);
    packets_.begin({track, time(span.start), name, span.name, name_of(span.span_class), &annotations_, &flows_});
  }
  for (Lanes& lanes : streams) finish(lanes);
}

void RankTracks::write_threads() {
  for (size_t thread = 0; thread < rank_.trace.threads.size(); ++thread) write_thread(thread);
}

// Calls and ranges of a thread are each in order: of two that start together, the longer one is around the other.
void RankTracks::write_thread(size_t thread) {
  const ProcessTrace& trace = rank_.trace;
  const auto of_thread = [&](const HostRange& range, size_t number) { return range.thread < number; };
  auto range = std::lower_bound(trace.ranges.begin(), trace.ranges.end(), thread, of_thread);
  const auto last_range = std::lower_bound(range, trace.ranges.end(), thread + 1, of_thread);
  uint32_t call = trace.first_call[thread];
  const uint32_t last_call = trace.first_call[thread + 1];
  if (call == last_call && range == last_range) return;
  const std::string name = thread_name(trace.threads[thread], trace.names[trace.threads[thread].name]);
  Lanes lanes{process_, name, SliceLanes(LaneKind::kNested), {}};
  while (call != last_call || range != last_range) {
    const bool takes_range =
        call == last_call ||
        (range != last_range && (range->start < trace.calls[call].start ||
                                 (range->start == trace.calls[call].start && range->end >= trace.calls[call].end)));
    if (takes_range)
      write_range(*range++, lanes);
    else
      write_call(call++, lanes);
  }
  finish(lanes);
}

void RankTracks::write_call(uint32_t index, Lanes& lanes) {
  if (!calls_.has(index)) return;
  const HostCall& call = rank_.trace.calls[index];
  annotations_ = {{"class", name_of(call.call_class)}, {"phase", phase_name(call.phase)}};
  if (const RankStep* const step = calls_.step_of(call)) annotations_.push_back({"step", {}, step->number});
  flows_.clear();
  if (calls_.launches(index)) flows_.push_back(((uint64_t{rank_.index} + 1) << kCallShift) + index + 1);
  const uint64_t track = place({call.start, call.end}, lanes);
  packets_.begin(
      {track, time(call.start), rank_.trace.names[call.function], call.function, "call", &annotations_, &flows_});
}

void RankTracks::write_range(const HostRange& range, Lanes& lanes) {
  if (!rank_.shows(range.start, range.is_mark ? range.start : range.end)) return;
  const std::string_view name = rank_.trace.names[range.name];
  const uint64_t track = place({range.start, range.is_mark ? range.start : range.end}, lanes);
  packets_.begin({track, time(range.start), name, range.name, name_of(range.source), nullptr, nullptr});
}

}  // namespace tauprof::perfetto
