// Turns the events of a simulated job into records.
#include "log_observer.h"

#include <algorithm>
#include <utility>

namespace tauprof::generator {

int64_t LogObserver::intern(ProcessLog& process_log, std::string_view text) {
  return process_log.writer->intern(text.data(), text.size());
}

int64_t LogObserver::id_of(ProcessLog& process_log, std::string_view static_text) {
  const auto [entry, is_new] = process_log.names.emplace(static_text.data(), 0);
  if (is_new) entry->second = intern(process_log, static_text);
  return entry->second;
}

void LogObserver::on_call(int rank, const HostCall& call) {
  ProcessLog& process_log = log_of(rank);
  if (!process_log.writer) return;
  process_log.last_time = std::max(process_log.last_time, call.end);
  if (call.operation != log::Operation::kUnknown) {
    write_collective(rank, call);
  } else if (call.m > 0) {
    write_gemm(rank, call);
  } else {
    write_plain_call(rank, call);
  }
}

template <class Record>
Record LogObserver::call_record(int rank, const HostCall& call) {
  ProcessLog& process_log = log_of(rank);
  Record record;
  record.thread = thread_number(rank, call.thread);
  record.function = id_of(process_log, call.function);
  record.start = process_log.at(call.start);
  record.duration = process_log.at(call.end) - record.start;
  record.correlation = correlation(rank, call.correlation);
  record.stream = call.stream < 0 ? 0 : handle(rank, call.stream);
  record.thread_cpu_ns = call.thread_cpu_ns;
  record.end_cpu_ns = call.end_cpu_ns;
  return record;
}

void LogObserver::write_plain_call(int rank, const HostCall& call) {
  auto record = call_record<log::Call>(rank, call);
  if (call.group != 0) record.stream = 0;  // the end of a group has no stream argument
  record.device = device_of(rank);
  record.object = call.event;
  record.bytes = call.bytes;
  record.argument = static_cast<int64_t>(call.copy_kind);
  log_of(rank).writer->append(record);
}

void LogObserver::write_collective(int rank, const HostCall& call) {
  auto record = call_record<log::Collective>(rank, call);
  record.communicator = communicator_key(rank, call.communicator);
  record.sequence = call.sequence;
  record.operation = static_cast<int64_t>(call.operation);
  record.datatype = static_cast<int64_t>(call.datatype);
  record.count = call.count;
  record.peer = call.peer + 1;
  record.group = group(rank, call.group);
  if (!spec_.algorithm.empty()) record.algorithm = intern(log_of(rank), spec_.algorithm);
  log_of(rank).writer->append(record);
}

void LogObserver::write_gemm(int rank, const HostCall& call) {
  auto record = call_record<log::Gemm>(rank, call);
  record.m = call.m;
  record.n = call.n;
  record.k = call.k;
  record.batch = 1;
  record.transpose = call.transpose;
  record.type_a = record.type_b = record.type_c = static_cast<int64_t>(call.datatype);
  record.type_compute = static_cast<int64_t>(log::DataType::kFloat32);
  log_of(rank).writer->append(record);
}

void LogObserver::on_span(int rank, const DeviceSpan& span) {
  ProcessLog& process_log = log_of(rank);
  if (!process_log.writer || !span.is_recorded) return;
  process_log.last_time = std::max(process_log.last_time, span.end);
  log::DeviceActivity record;
  record.activity = static_cast<int64_t>(span.activity);
  record.device = device_of(rank);
  record.context = 1;
  record.stream = stream_number(span.stream);
  record.name = id_of(process_log, span.name);
  const bool is_wrong = span.unit >= 0 && !std::exchange(process_log.has_met, true);
  const int64_t error = is_wrong ? value_for(spec_.wrong_times, rank, process_log.step) : 0;
  record.start = process_log.at(span.start) + error + value_for(spec_.device_offsets, rank, 0);
  record.duration = process_log.at(span.end) - process_log.at(span.start);
  record.correlation = correlation(rank, span.correlation);
  record.bytes = span.bytes;
  record.copy_kind = static_cast<int64_t>(span.copy_kind);
  if (span.activity == log::ActivityKind::kGraph) record.graph = 1;
  if (span.activity == log::ActivityKind::kKernel) {
    record.grid_x = 1024;
    record.grid_y = record.grid_z = record.block_y = record.block_z = 1;
    record.block_x = 256;
  }
  process_log.writer->append(record);
  if (span.launch == 0 || span.launch == span.correlation) return;
  log::Link link;
  link.correlation = correlation(rank, span.correlation);
  link.owner = correlation(rank, span.launch);
  process_log.writer->append(link);
}

void LogObserver::on_range(int rank, const HostRange& range) {
  ProcessLog& process_log = log_of(rank);
  if (!process_log.writer) return;
  process_log.last_time = std::max(process_log.last_time, range.end);
  log::Range record;
  record.thread = thread_number(rank, range.thread);
  record.name = intern(process_log, range_text(range));
  record.source = static_cast<int64_t>(range.is_annotation ? log::RangeSource::kAnnotation : log::RangeSource::kNvtx);
  record.start = process_log.at(range.start);
  record.duration = process_log.at(range.end) - record.start;
  process_log.writer->append(record);
}

void LogObserver::on_step_end(int rank, int step, int64_t time, int64_t dropped_spans) {
  ProcessLog& process_log = log_of(rank);
  if (!process_log.writer) return;
  process_log.step = step + 1;
  process_log.has_met = false;
  log::Telemetry clock;
  clock.time = process_log.at(time);
  clock.device = device_of(rank);
  clock.metric = intern(process_log, "sm_clock_mhz");
  clock.value = 1'980'000 / value_for(spec_.throttled, rank, 1000);
  process_log.writer->append(clock);
  process_log.cpu_wait_ns += value_for(spec_.contentions, rank, step);
  log::Telemetry waited = clock;
  waited.device = -1;
  waited.metric = intern(process_log, "cpu_wait_ns");
  waited.value = process_log.cpu_wait_ns;
  process_log.writer->append(waited);
  log::Memory memory;
  memory.time = process_log.at(time);
  memory.thread = thread_number(rank, kMainThread);
  memory.device = device_of(rank);
  memory.action = static_cast<int64_t>(step % 2 == 0 ? log::MemoryAction::kAllocate : log::MemoryAction::kFree);
  memory.address = 0x7F5A'0000'0000;
  memory.bytes = spec_.layer_bytes;
  memory.pool = intern(process_log, "cuda");
  memory.total_bytes = spec_.layers * spec_.layer_bytes + (step % 2 == 0 ? spec_.layer_bytes : 0);
  process_log.writer->append(memory);
  if (dropped_spans == 0) return;
  log::Drop drop;
  drop.time = process_log.at(time);
  drop.kind = static_cast<int64_t>(log::RecordKind::kDeviceActivity);
  drop.count = dropped_spans;
  drop.reason = intern(process_log, "buffers full");
  process_log.writer->append(drop);
}

void LogObserver::on_recording_gap(int rank, int64_t start, int64_t end) {
  ProcessLog& process_log = log_of(rank);
  if (!process_log.writer) return;
  log::Gap gap;
  gap.start = process_log.at(start);
  gap.duration = process_log.at(end) - gap.start;
  gap.scope = static_cast<int64_t>(log::GapScope::kAll);
  gap.reason = intern(process_log, "recording was off");
  process_log.writer->append(gap);
}

}  // namespace tauprof::generator
