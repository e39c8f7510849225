#include <algorithm>
#include <map>
#include <tuple>
#include <vector>

#include "export/calls_of_rank.h"
#include "export/event_names.h"
#include "export/located_events.h"
#include "export/run_tables.h"
#include "metrics/collectives/collective_units.h"
#include "metrics/kernels/kernel_totals.h"
#include "report/value_names.h"

namespace tauprof {
namespace {

class EventRows {
 public:
  EventRows(const RankView& rank, TableSink& sink)
      : rank_(rank), trace_(rank.trace), sink_(sink), known_(rank.trace.names.size()), calls_(rank) {}

  void add_all() {
    const std::vector<DeviceStream>& streams = rank_.device.streams;
    for (uint32_t i = 0; i < streams.size(); ++i)
      sink_.add(tables::kStreams, {id(i), number(), streams[i].context, streams[i].number});
    for (uint32_t i = 0; i < trace_.threads.size(); ++i) {
      const HostThread& thread = trace_.threads[i];
      sink_.add(tables::kThreads, {id(i), number(), thread.os_id, trace_.names[thread.name], thread.is_main});
    }
    add_spans();
    for (uint32_t i = 0; i < trace_.calls.size(); ++i) add_call(i);
    for (const HostRange& range : trace_.ranges) add_range(range);
    for (const TelemetryReading& reading : trace_.telemetry) add_reading(reading);
  }

 private:
  int32_t number() const { return rank_.timeline.rank; }
  int64_t id(uint32_t index) const { return event_id(rank_.index, index); }
  Cell id_or_null(uint32_t index) const { return index == kNoIndex ? Cell(std::nullopt) : Cell(id(index)); }
  Nanoseconds time(Nanoseconds local) const { return rank_.timeline.run_clock.to_run(local); }
  static Cell number_of(const RankStep* step) { return step ? Cell(step->number) : Cell(std::nullopt); }

  // Where it was read.
  Cell cpu_clock(uint16_t thread, Nanoseconds at) const {
    const auto found = std::lower_bound(trace_.cpu_readings.begin(), trace_.cpu_readings.end(), std::tie(thread, at),
                                        [](const CpuReading& one, const std::tuple<uint16_t, Nanoseconds>& key) {
                                          return std::tie(one.thread, one.time) < key;
                                        });
    const bool is_read = found != trace_.cpu_readings.end() && found->thread == thread && found->time == at;
    return is_read ? Cell(found->cpu) : Cell(std::nullopt);
  }

  // A name becomes a row when it is first used.
  int64_t name_id(NameId name) {
    if (!known_[name]) {
      known_[name] = true;
      sink_.add(tables::kNames, {id(name), trace_.names[name]});
    }
    return id(name);
  }

  // Work without a name has one of a few that reports give it; their numbers come after all others'.
  int64_t name_id(const DeviceSpan& span) {
    if (!trace_.names[span.name].empty()) return name_id(span.name);
    const std::string_view name = name_of_work(span, trace_.names);
    const auto [found, is_new] = given_.try_emplace(name, id(kNoIndex - static_cast<uint32_t>(given_.size())));
    if (is_new) sink_.add(tables::kNames, {found->second, name});
    return found->second;
  }

  void add_spans() {
    const CollectiveUnits units = collective_units(trace_, rank_.device);
    for (uint32_t i = 0; i < rank_.device.spans.size(); ++i) {
      const DeviceSpan& span = rank_.device.spans[i];
      if (!rank_.shows(span.start, span.end)) continue;
      const bool copies = span.activity == log::ActivityKind::kMemcpy;
      sink_.add(tables::kSpans, {id(i), number(), number_of(step_on_device(rank_.timeline, span.start)),
                                 id(span.stream), time(span.start), span.end - span.start, name_id(span),
                                 name_of(span.activity), name_of(span.span_class), phase_name(span.phase),
                                 span.bytes != 0 ? Cell(span.bytes) : Cell(std::nullopt),
                                 copies ? Cell(name_of(span.copy_kind)) : Cell(std::nullopt), id_or_null(span.call),
                                 id_or_null(units.unit_of_span[i])});
    }
  }

  void add_call(uint32_t index) {
    if (!calls_.has(index)) return;
    const HostCall& call = trace_.calls[index];
    const bool has_outer = call.outer != kNoIndex && calls_.has(call.outer);
    sink_.add(tables::kCalls, {id(index), number(), number_of(calls_.step_of(call)), id(call.thread), time(call.start),
                               call.end - call.start, name_id(call.function), name_of(call.call_class),
                               phase_name(call.phase), has_outer ? Cell(id(call.outer)) : Cell(std::nullopt),
                               call.stream, cpu_clock(call.thread, call.start), cpu_clock(call.thread, call.end)});
  }

  void add_range(const HostRange& range) {
    if (!rank_.shows(range.start, range.is_mark ? range.start : range.end)) return;
    sink_.add(tables::kRanges,
              {number(), id(range.thread), time(range.start), range.is_mark ? 0 : range.end - range.start,
               name_id(range.name), range.domain == kNoName ? Cell(std::nullopt) : Cell(name_id(range.domain)),
               name_of(range.source)});
  }

  void add_reading(const TelemetryReading& reading) {
    if (reading.device >= 0 && reading.device != rank_.device.device) return;
    if (!rank_.shows(reading.time, reading.time)) return;
    sink_.add(tables::kTelemetry, {number(), reading.device < 0 ? Cell(std::nullopt) : Cell(reading.device),
                                   time(reading.time), name_id(reading.metric), reading.value});
  }

  const RankView& rank_;
  const ProcessTrace& trace_;
  TableSink& sink_;
  std::vector<bool> known_;
  std::map<std::string_view, int64_t> given_;
  const CallsOfRank calls_;
};

}  // namespace

void add_event_rows(const RankView& rank, TableSink& sink) { EventRows(rank, sink).add_all(); }

}  // namespace tauprof
